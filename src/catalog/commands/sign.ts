import { writeFileSync } from 'node:fs'
import { systemClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { WrongUsage } from '../../platform/config/wrong-usage.ts'
import { openKnownFolder } from '../../platform/db/data-folder.ts'
import { Failure } from '../../platform/failure.ts'
import { DATA_OPTION, readOpenArguments, required } from '../../platform/terminal/arguments.ts'
import { EXIT } from '../../platform/terminal/command.ts'
import { say } from '../../platform/terminal/terminal.ts'
import { revokeKey, rotateKey } from '../signing/key-ring.ts'
import { makeKey, publicJwk } from '../signing/keys.ts'
import { signFiles } from './sign-files.ts'

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

/** `beckon catalog sign`: reviews with the key of a reviewer; keys made, changed and revoked. */
export async function signCommand(args: string[]): Promise<number> {
  const { given, ...options } = readOpenArguments(args, OPTIONS)
  const { key, all = false, dir, data, json = false } = options
  const newKey = options['new-key']
  const ways = [newKey, options.rotate, options.revoke, key].filter((one) => one !== undefined)
  if (ways.length !== 1) {
    throw new WrongUsage('Say one of --key FILE, --new-key FILE, --rotate and --revoke KID.')
  }
  if (key === undefined && (given.length > 0 || all)) {
    throw new WrongUsage('Reviews are signed with --key FILE.')
  }
  if (newKey !== undefined) return await writeKey(newKey, options.name, json)
  if (key !== undefined) return await signFiles(given, { key, all, dir, data, json })
  if (options.rotate) return await rotate(data, json)
  return await revoke(data, required(options.revoke, 'revoke'), options.reason, json)
}

async function writeKey(file: string, name = 'Name of the reviewer', json: boolean) {
  const { kid, jwk } = await makeKey()
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

async function rotate(data: string | undefined, json: boolean): Promise<number> {
  await using db = openKnownFolder(readConfig({ data }).dataFolder)
  const done = await rotateKey({ db, clock: systemClock })
  if (json) say(JSON.stringify(done))
  else say(`${done.to} signs from now on; ${done.from} vouches for it, so that mirrors follow.`)
  return EXIT.done
}

async function revoke(
  data: string | undefined,
  kid: string,
  reason: string | undefined,
  json: boolean,
): Promise<number> {
  const why = required(reason, 'reason')
  await using db = openKnownFolder(readConfig({ data }).dataFolder)
  const { to, replaced } = await revokeKey({ db, clock: systemClock }, kid, why)
  if (json) say(JSON.stringify({ revoked: kid, to, replaced }))
  else if (!replaced) say(`${kid} is revoked. ${to} signs as before.`)
  else {
    say(`${kid} is revoked; ${to} signs from now on. Mirrors that pinned ${kid} stop until they`)
    say(`are told the new key another way: beckon catalog mirror --from URL --key ${to}`)
  }
  return EXIT.done
}
