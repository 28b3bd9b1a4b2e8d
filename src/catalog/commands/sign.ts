import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import {
  makePrivateJwk,
  type PrivateJwk,
  publicJwk,
  readPrivateJwk,
} from '../../platform/signing/ed25519.ts'
import { DATA_OPTION, readOpenArguments, required } from '../../platform/terminal/arguments.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { loadFolder } from '../authoring/load-folder.ts'
import { problemLine } from '../records/problem.ts'
import { revokeKey, rotateKey } from '../signing/key-ring.ts'
import { signReview } from '../signing/review.ts'
import { catalogFolder } from './folder.ts'

const OPTIONS = {
  ...DATA_OPTION,
  all: { type: 'boolean' },
  dir: { type: 'string' },
  json: { type: 'boolean' },
  key: { type: 'string' },
  name: { type: 'string' },
  'new-key': { type: 'string' },
  reason: { type: 'string' },
  revoke: { type: 'string' },
  rotate: { type: 'boolean' },
} as const

/**
 * `beckon catalog sign`: signs reviews with a reviewer's key, and makes, changes and revokes keys.
 */
export async function signCommand(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands, ...options } = readOpenArguments(args, OPTIONS)
  const { key, all = false, dir, data, json = false } = options
  const newKey = options['new-key']
  const ways = [newKey, options.rotate, options.revoke, key].filter((one) => one !== undefined)
  if (ways.length !== 1) {
    throw new WrongUsage('Use one of --key FILE, --new-key FILE, --rotate and --revoke KID.')
  }
  if (key === undefined && (operands.length > 0 || all)) {
    throw new WrongUsage('Reviews are signed with --key FILE.')
  }
  const folderOf = (first: string | undefined) =>
    dir === undefined && first !== undefined
      ? resolve(dirname(first), '../..')
      : catalogFolder(readConfig, data, dir)
  if (newKey !== undefined) return writeKey(newKey, options.name, json)
  if (key !== undefined) return await signFiles(operands, { key, all, json }, folderOf)
  if (options.rotate) return await rotate(readConfig({ data }), json)
  return await revoke(
    readConfig({ data }),
    required(options.revoke, 'revoke'),
    options.reason,
    json,
  )
}

function writeKey(file: string, name = 'Name of the reviewer', json: boolean) {
  const { kid, jwk } = makePrivateJwk()
  try {
    writeFileSync(file, `${JSON.stringify({ ...jwk, kid })}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'EEXIST' ? 'it exists, and a key is never written over' : code
    throw new Failure('conflict', `${file} cannot be written: ${why}. Name another file.`)
  }
  const since = new Date(systemClock.now()).toISOString().slice(0, 10)
  const row = { kid, jwk: publicJwk(jwk), name, since }
  if (json) say(JSON.stringify({ file, key: row }))
  else {
    const { kty, crv, x } = row.jwk
    say(`# ${file} is secret: keep it out of the catalog. These lines go into keys.yaml:`)
    say(`- kid: ${kid}\n  jwk: { kty: ${kty}, crv: ${crv}, x: ${x} }`)
    say(`  name: ${JSON.stringify(name)}\n  since: ${since}`)
  }
  return EXIT.done
}

async function rotate(config: Config, json: boolean): Promise<number> {
  await using db = await openKnownDatabase(config)
  const done = await rotateKey({ db, clock: systemClock })
  if (json) say(JSON.stringify(done))
  else say(`${done.to} signs from now on; ${done.from} vouches for it, so that mirrors follow.`)
  return EXIT.done
}

async function revoke(
  config: Config,
  kid: string,
  reason: string | undefined,
  json: boolean,
): Promise<number> {
  const why = required(reason, 'reason')
  await using db = await openKnownDatabase(config)
  const { to, replaced } = await revokeKey({ db, clock: systemClock }, kid, why)
  if (json) say(JSON.stringify({ revoked: kid, to, replaced }))
  else if (!replaced) say(`${kid} is revoked. ${to} signs as before.`)
  else {
    say(`${kid} is revoked; ${to} signs from now on. Mirrors that pinned ${kid} stop until they`)
    say(`are told the new key another way: beckon catalog mirror --from URL --key ${to}`)
  }
  return EXIT.done
}

type How = {
  key: string
  all: boolean
  json: boolean
}

/** Signs reviews of a valid folder: the named ones, or every unsigned one. */
async function signFiles(
  operands: readonly string[],
  how: How,
  folderOf: (first: string | undefined) => string,
): Promise<number> {
  if (how.all === operands.length > 0)
    throw new WrongUsage('Name the reviews to sign, or use --all.')
  const { kid, jwk } = readPrivateKey(how.key)
  const folder = folderOf(operands[0])
  const { source, problems } = await loadFolder(folder)
  if (!source) {
    if (how.json) say(JSON.stringify({ folder, signed: [], problems }))
    else for (const problem of problems) note(problemLine(problem))
    note(`Nothing was signed: ${folder} is not in order.`)
    return EXIT.failed
  }
  const byPath = new Map(
    source.reviews.map((one) => [join(folder, 'reviews', one.tool, `${one.id}.json`), one]),
  )
  const paths = how.all
    ? [...byPath].filter(([, one]) => !one.signature).map(([path]) => path)
    : operands.map((path) => resolve(path))
  for (const path of paths) {
    if (!byPath.has(path)) throw new Failure('not_found', `${path} is not a review in ${folder}.`)
  }
  const signed: string[] = []
  for (const path of paths) {
    const review = byPath.get(path)
    if (!review) continue
    const { id, tool, signature: _, ...body } = review
    const signature = signReview(review, jwk, kid)
    writeWhole(path, `${JSON.stringify({ ...body, signature }, null, 2)}\n`)
    signed.push(`reviews/${tool}/${basename(path)}`)
  }
  if (how.json) say(JSON.stringify({ folder, kid, signed }))
  else for (const path of signed) say(`${path}: signed with ${kid}`)
  if (signed.length === 0) note('Nothing was signed: every review has a signature already.')
  const isKnown = source.keys?.some((one) => one.kid === kid)
  if (!isKnown)
    note(`${kid} is not in keys.yaml; its reviews will be shown as signed with an unknown key.`)
  return EXIT.done
}

function readPrivateKey(file: string): { kid: string; jwk: PrivateJwk } {
  let key: ReturnType<typeof readPrivateJwk>
  try {
    key = readPrivateJwk(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code) throw new Failure('not_found', `The key ${file} cannot be read (${code}).`)
  }
  if (key) return key
  throw new Failure(
    'invalid_input',
    `${file} is not a whole private key; beckon catalog sign --new-key FILE makes one.`,
  )
}

/** Renamed into place, so that no reader sees half a file. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.signing~`
  writeFileSync(draft, text)
  renameSync(draft, path)
}
