import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { EXIT } from '../../platform/terminal/command.ts'
import { say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { followKeys } from '../signing/follow-keys.ts'
import { checkReview } from '../signing/review.ts'
import { verifyManifest } from '../signing/verify-manifest.ts'
import { onlyArgument } from './folder.ts'
import { type FoundManifest, openManifest, reviewPlace, Unreachable } from './open-manifest.ts'

type Line = { holds: boolean; what: string }

const FILES_SHOWN = 20

/**
 * `beckon catalog verify FILE|DIR|URL`: checks a manifest with its files, or a review. Exits 0 if
 * everything holds, 1 if something does not, 5 if the address could not be reached.
 */
export async function verify(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, key: { type: 'string' }, json: { type: 'boolean' } } as const
  const { given, data, key, json } = readOpenArguments(args, options)
  const what = onlyArgument(given)
  if (what === undefined) throw new WrongUsage('FILE, DIR or URL is missing.')
  try {
    const review = reviewPlace(what)
    const lines = review
      ? await aboutReview(review, key)
      : await aboutOffer(await openManifest(what, fetchFor(data)), key)
    const holds = lines.every((line) => line.holds)
    if (json) say(JSON.stringify({ holds, lines }))
    else for (const line of lines) say(`${line.holds ? 'ok' : 'NO'}  ${cleanLine(line.what)}`)
    return holds ? EXIT.done : EXIT.failed
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    if (json) say(JSON.stringify({ holds: false, lines: [{ holds: false, what: error.message }] }))
    else say(`NO  ${cleanLine(error.message)}`)
    return EXIT.unreachable
  }
}

function fetchFor(data: string | undefined) {
  const { allowPrivateHosts } = readConfig({ data })
  return createGuardedFetch({ allowPrivateHosts }).fetch
}

async function aboutOffer(offer: FoundManifest, key: string | undefined): Promise<Line[]> {
  const found = await verifyManifest(offer.manifest, offer.jws, offer.keys)
  if (!found.ok) return [{ holds: false, what: found.why }]
  const { kid, manifest } = found
  const { sequence, issuedAt, expiresAt, files, baseUrl } = manifest
  const lines: Line[] = [
    { holds: true, what: `Manifest ${sequence} of ${baseUrl}, signed by ${kid} at ${issuedAt}.` },
  ]
  if (key !== undefined) {
    const followed = await followKeys(offer.keys, key, kid)
    const through = followed.ok ? followed.through.join(' → ') : ''
    const what = followed.ok ? `The key follows from yours: ${through}.` : followed.why
    lines.push({ holds: followed.ok, what })
  }
  const isFresh = systemClock.now() < Date.parse(expiresAt)
  lines.push({ holds: isFresh, what: `It ${isFresh ? 'expires' : 'expired'} at ${expiresAt}.` })
  const wrong: string[] = []
  for (const { path, sha256, size } of files) {
    const bytes = await offer.file(sha256, size)
    const own = bytes && new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    if (!bytes) wrong.push(`${path} is missing.`)
    else if (own !== sha256 || bytes.length !== size) wrong.push(`${path} has other bytes.`)
  }
  for (const what of wrong.slice(0, FILES_SHOWN)) lines.push({ holds: false, what })
  const right = files.length - wrong.length
  const what = `${right} of ${files.length} files are there with the bytes that were signed.`
  return [...lines, { holds: wrong.length === 0, what }]
}

async function aboutReview(
  { folder, tool, id }: { folder: string; tool: string; id: string },
  key: string | undefined,
): Promise<Line[]> {
  const { source, problems } = await loadFolder(folder)
  if (!source) {
    const first = problems[0]
    throw new Failure(
      'invalid_input',
      `${folder} is not in order (${problems.length} problems, the first in ${first?.file}); beckon catalog lint says what.`,
    )
  }
  const review = source.reviews.find((one) => one.tool === tool && one.id === id)
  if (!review) throw new Failure('not_found', `There is no review ${id} of ${tool} in ${folder}.`)
  const found = await checkReview(review, source.keys ?? [])
  if (!found) return [{ holds: false, what: 'The review is not signed.' }]
  if (found.status !== 'valid') return [{ holds: false, what: `${found.status}: ${found.why}` }]
  const { kid } = review.signature ?? { kid: '' }
  const who = source.keys?.find((one) => one.kid === kid)?.name
  const isWanted = key === undefined || key === kid
  return [
    { holds: true, what: `The review is as ${who} signed it, with ${kid}.` },
    ...(isWanted ? [] : [{ holds: false, what: `It was not signed with ${key}.` }]),
  ]
}
