import { Database } from 'bun:sqlite'
import { afterEach, beforeEach } from 'bun:test'
import { join } from 'node:path'
import type { SealDeps } from '../../../src/ask/trail/seal-audit.ts'
import { verifyAudit } from '../../../src/ask/trail/verify-audit.ts'
import type { Clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { DATABASE_FILE } from '../../../src/platform/db/find-database.ts'
import { loadServerKey } from '../../../src/platform/db/server-key.ts'
import { migratedDatabase } from '../../support/migrated-database.ts'
import { tempFolder } from '../../support/temp-folder.ts'

export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** The data folder of the test that runs, its database, its time, and what seals it. */
export let folder: ReturnType<typeof tempFolder>
export let db: OpenDb
export let now = 0
export let deps: SealDeps
export const clock: Clock = { now: () => now, elapsed: () => now, after: () => () => {} }

/** Gives each test of this file a data folder of its own, whose trail is sealed by `batch`. */
export function eachInAFolder(batch: number): void {
  beforeEach(() => {
    folder = tempFolder()
    migratedDatabase(folder.path)
    db = openDataFolder(folder.path)
    now = Date.UTC(2026, 0, 31, 12)
    deps = { db, clock, holder: 'here', batch }
  })
  afterEach(async () => {
    await db[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })
}

/** Lets `ms` pass; less than 0 goes back. */
export function passTime(ms: number): void {
  now += ms
}

export const check = async () => verifyAudit(db.read, await loadServerKey(deps), now)

/** Somebody changes rows beside the server. */
export function sql(statement: string, ...parameters: Array<string | number | null>): void {
  using raw = new Database(join(folder.path, DATABASE_FILE))
  if (raw.query(statement).run(...parameters).changes === 0)
    throw new Error(`${statement} did nothing`)
}
