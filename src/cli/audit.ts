import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { copiedFacts } from '../ask/trail/known-facts.ts'
import { copyTrail, readCopy } from '../ask/trail/trail-file.ts'
import { no, nothingSealed, type VerifiedAudit, verifyAudit } from '../ask/trail/verify-audit.ts'
import { systemClock } from '../platform/clock.ts'
import { EXIT } from '../platform/command.ts'
import type { OpenDb } from '../platform/db/database.ts'
import { openKnownDatabase } from '../platform/db/open-database.ts'
import { readServerKey } from '../platform/db/server-key.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import { WrongUsage } from '../platform/failure.ts'
import type { VerifyKey } from '../platform/signing/ed25519.ts'
import { outputLost } from '../platform/standard-streams.ts'
import {
  DATA_OPTION,
  readArguments,
  readOpenArguments,
  subcommand,
} from '../platform/terminal/arguments.ts'
import { note, noteError, say } from '../platform/terminal/terminal.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'
import { readTrustedKey } from './trusted-key.ts'

const FINDINGS_MAX = 20

/** `beckon audit`: checks whether the audit trail is unchanged, here or in a copy. */
export async function audit(args: string[]): Promise<number> {
  const { way, rest } = subcommand(args, { verify, export: copy })
  return await way(rest)
}

async function copy(args: string[]): Promise<number> {
  const { data } = readArguments(args, DATA_OPTION)
  await using db = await openHere(data)
  try {
    for await (const line of copyTrail(db.read)) await Bun.write(Bun.stdout, line)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== 'write' || code === undefined) throw error
    // Whoever read it has left, as `head` does.
    if (code !== 'EPIPE') throw outputLost(code)
  }
  return EXIT.done
}

async function verify(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, key: { type: 'string' }, json: { type: 'boolean' } } as const
  const { data, key: keyOption, json, operands: files } = readOpenArguments(args, options)
  const [file, extra] = files
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  const trusted = keyOption === undefined ? undefined : readTrustedKey(keyOption)
  const result =
    file === undefined ? await verifyHere(data, trusted) : await verifyCopy(file, trusted)
  if (json) {
    const { ok: valid, ...more } = result
    say(JSON.stringify({ valid, ...more }))
  } else if (result.ok) {
    say(
      `${counted(result.sealed, 'row')} of the audit trail and ${counted(result.facts, 'record')} of questions, notifications and deliveries are as they were sealed.`,
    )
    if (result.unsealed > 0) note(`${counted(result.unsealed, 'newer row')} not sealed yet.`)
    if (result.head)
      note(`The chain has ${counted(result.links, 'link')} and ends with ${result.head}.`)
  } else {
    for (const { why } of result.findings.slice(0, FINDINGS_MAX)) noteError(why)
    const more = result.findings.length - FINDINGS_MAX
    if (more > 0) noteError(`${counted(more, 'more wrong row')}; --json lists them all.`)
  }
  if (result.ok) return EXIT.done
  return result.isNothing ? EXIT.nothingSealed : EXIT.failed
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

async function openHere(data: string | undefined): Promise<OpenDb> {
  const config = readConfig({ data })
  await refuseBesideService(config)
  return await openKnownDatabase(config)
}

async function verifyHere(
  data: string | undefined,
  trusted: VerifyKey | undefined,
): Promise<VerifiedAudit> {
  await using db = await openHere(data)
  const key = trusted ?? (await readServerKey(db.read))
  if (key) return await verifyAudit(db.read, key, systemClock.now())
  return no('Nothing is sealed yet: the server has no key so far.')
}

/** A copy is loaded into a database of its own, and checked like the trail itself. */
async function verifyCopy(file: string, trusted: VerifyKey | undefined): Promise<VerifiedAudit> {
  if (!trusted)
    throw new WrongUsage('A copy is checked with the key of its server: name it with --key.')
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new WrongUsage(`There is no file ${file}.`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'beckon-audit-'))
  try {
    await using db = openSqlite(join(folder, 'copy.db'))
    const lines = createInterface({ input: createReadStream(file) })
    const { facts, links, wrong } = await readCopy(db, lines)
    if (wrong !== undefined) return no(wrong)
    if (links === 0) return nothingSealed(`There is no link in ${file}, so nothing was checked.`)
    return await verifyAudit(db.read, trusted, systemClock.now(), copiedFacts(facts))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
