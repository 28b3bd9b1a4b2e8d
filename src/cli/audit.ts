import { type VerifiedAudit, verifyAudit } from '../ask/audit/verify-audit.ts'
import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { openKnownDatabase } from '../platform/db/open-database.ts'
import { readServerKey } from '../platform/db/server-key.ts'
import { DATA_OPTION, readArguments, subcommand } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { note, noteError, say } from '../platform/terminal/terminal.ts'
import { readTrustedKey } from './trusted-key.ts'

/** `beckon audit`: whether the audit trail is as it was written. */
export async function audit(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { verify })
  return await way(rest)
}

async function verify(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, key: { type: 'string' }, json: { type: 'boolean' } } as const
  const { data, key: given, json } = readArguments(args, options)
  const trusted = given === undefined ? undefined : readTrustedKey(given)
  await using db = await openKnownDatabase(readConfig({ data }))
  const key = trusted ?? (await readServerKey(db.read))
  const found: VerifiedAudit = key
    ? await verifyAudit(db.read, key, systemClock.now())
    : { ok: false, row: undefined, why: 'Nothing is sealed yet: the server has no key so far.' }
  if (json) {
    const { ok: valid, ...more } = found
    say(JSON.stringify({ valid, ...more }))
  } else if (found.ok) {
    say(`${found.sealed} rows of the audit trail are as they were sealed.`)
    if (found.unsealed > 0) note(`${found.unsealed} newer rows are not sealed yet.`)
    if (found.head) note(`The chain has ${found.links} links and ends with ${found.head}.`)
  } else {
    noteError(found.why)
  }
  return found.ok ? EXIT.done : EXIT.failed
}
