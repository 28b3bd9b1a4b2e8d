import { SQL } from 'bun'
import type { DatabaseConfig } from '../../config/config.ts'
import { createChangeBus } from '../change-bus.ts'
import { openBell } from './bell.ts'
import { checkServer } from './check-server.ts'
import { postgresFailure } from './errors.ts'
import { appliedIn, missingOf } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { databaseOf, openPool } from './pool.ts'

/** A database as it is found; looking at it changes nothing. */
export type PostgresReport = {
  /** Host and name of the database. */
  place: string
  /** Migrations of this program that it lacks. */
  missing: string[]
  /** What works, but not as it should. */
  warnings: string[]
}

/** Throws as `openPostgres` does. */
export async function inspectPostgres({ url, listenUrl }: DatabaseConfig): Promise<PostgresReport> {
  const pool = openPool({ url, size: 1, isPooled: listenUrl !== undefined })
  const sql = new SQL(listenUrl ?? url, { ...databaseOf(listenUrl ?? url), max: 1 })
  try {
    const warnings: string[] = []
    await checkServer(pool.query, (sentence) => warnings.push(sentence))
    // Made as a server makes it: it fails where a pooler takes LISTEN and passes nothing on.
    const bell = await openBell({
      url: listenUrl ?? url,
      changes: createChangeBus(),
      listens: true,
    })
    await bell.close()
    const missing = missingOf(await appliedIn(sql), MIGRATIONS)
    return { place: placeOf(url), missing: missing.map(({ name }) => name), warnings }
  } catch (error) {
    throw postgresFailure(error)
  } finally {
    await Promise.all([pool.close(), sql.close()])
  }
}

/** An address without the account in it. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
