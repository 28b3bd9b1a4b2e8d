import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { createGuardedFetch, type GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { isTerminal, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { formerSlugs } from '../records/renames.ts'
import { checkReview } from '../signing/review.ts'
import { checkPublishedCatalog, type VerifyLine } from '../verifying/check-published-catalog.ts'
import { fromAddress } from '../verifying/from-address.ts'
import { fromArchive } from '../verifying/from-archive.ts'
import { fromFolder } from '../verifying/from-folder.ts'
import { type SignedCatalog, Unreachable } from '../verifying/published-catalog.ts'
import { onlyArgument } from './folder.ts'

/**
 * `beckon catalog verify FILE|DIR|URL`: checks a manifest with its files, or a review. Exits 0 if
 * everything holds, 1 if something does not, 5 if the address could not be reached.
 */
export async function verify(args: string[], readConfig: ReadConfig): Promise<number> {
  const options = { ...DATA_OPTION, key: { type: 'string' }, json: { type: 'boolean' } } as const
  const { operands, data, key, json } = readOpenArguments(args, options)
  const what = onlyArgument(operands)
  if (what === undefined) throw new WrongUsage('FILE, DIR or URL is missing.')
  try {
    const review = reviewPlace(what)
    const lines = review
      ? await aboutReview(review, key)
      : await aboutOffer(what, { fetch: createGuardedFetch(readConfig({ data })).fetch, key })
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

const TRIES_MAX = 3

/** A catalog that publishes meanwhile is checked again, against its newer manifest. */
async function aboutOffer(
  what: string,
  { fetch, key }: { fetch: GuardedFetch['fetch']; key: string | undefined },
): Promise<VerifyLine[]> {
  for (let n = 1; ; n++) {
    const catalog = await openCatalog(what, fetch)
    const bar = progress('documents', isTerminal(2))
    const lines = await checkPublishedCatalog(catalog, {
      key,
      now: systemClock.now(),
      step: bar.step,
    }).finally(bar.end)
    if (n === TRIES_MAX || lines.every(({ holds }) => holds) || !catalog.again) return lines
    const now = await catalog.again()
    if (now && Buffer.from(now).equals(catalog.manifest)) return lines
  }
}

async function openCatalog(what: string, fetch: GuardedFetch['fetch']): Promise<SignedCatalog> {
  if (isUrl(what)) return await fromAddress(what, fetch)
  const kind = statSync(what, { throwIfNoEntry: false })
  if (!kind) throw new Failure('not_found', `There is nothing at ${what}.`)
  return kind.isDirectory()
    ? fromFolder(resolve(what))
    : await fromArchive(what, readFileSync(what))
}

function isUrl(what: string): boolean {
  return /^https?:\/\//i.test(what)
}

/** Undefined unless the path is `…/reviews/SLUG/ID.json` in a catalog's folder. */
function reviewPlace(what: string) {
  const path = resolve(what)
  const [, folder, tool, id] =
    /^(.*)[/\\]reviews[/\\]([^/\\]+)[/\\]([^/\\]+)\.json$/.exec(path) ?? []
  if (!folder || !tool || !id || isUrl(what)) return undefined
  return { folder, tool, id }
}

async function aboutReview(
  { folder, tool, id }: { folder: string; tool: string; id: string },
  key: string | undefined,
): Promise<VerifyLine[]> {
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
  const former = formerSlugs(source.removed).get(tool)
  const check = checkReview(review, source.keys ?? [], former)
  if (!check) return [{ holds: false, what: 'The review is not signed.' }]
  if (check.status !== 'valid') return [{ holds: false, what: `${check.status}: ${check.why}` }]
  const { kid } = review.signature ?? { kid: '' }
  const who = source.keys?.find((one) => one.kid === kid)?.name
  const isWanted = key === undefined || key === kid
  return [
    { holds: true, what: `The review is as ${who} signed it, with ${kid}.` },
    ...(isWanted ? [] : [{ holds: false, what: `It was not signed with ${key}.` }]),
  ]
}
