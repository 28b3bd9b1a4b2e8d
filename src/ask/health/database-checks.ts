import type { DatabaseConfig } from '../../platform/config/config.ts'
import { placeOf } from '../../platform/db/data-place.ts'
import { Failure } from '../../platform/failure.ts'
import { type Check, failedCheck, passedCheck, warnedCheck } from '../check.ts'

/** A database in PostgreSQL as it is found; looking at it changes nothing. */
export type ServerReport = {
  /** Host and name of the database. */
  place: string
  /** Why it cannot be used, in a sentence. */
  refusal?: string | undefined
  /** True if a Beckon server or command has used the database. */
  isKnown: boolean
  /** Migrations of this program that it lacks. */
  missing: readonly string[]
  /** Warnings, each in a sentence. */
  warnings: readonly string[]
  /** Addresses of the servers that use it now, as PostgreSQL sees them. */
  servers: readonly string[]
}

/** Undefined where the data is in the data folder. Ends within some seconds. */
export async function inspectServer(
  database: DatabaseConfig | undefined,
): Promise<ServerReport | undefined> {
  if (!database) return undefined
  // Nothing of PostgreSQL is loaded without an address of one.
  const { inspectPostgres } = await import('../../platform/db/postgres/inspect.ts')
  try {
    return await inspectPostgres(database)
  } catch (error) {
    const place = placeOf(database.url)
    const refusal =
      error instanceof Failure ? error.message : `PostgreSQL at ${place} cannot be looked at.`
    return { place, refusal, isKnown: false, missing: [], warnings: [], servers: [] }
  }
}

const NAME = 'Database'

/**
 * Checks that PostgreSQL can be reached, meets Beckon's needs, and notifies its listeners of
 * changes.
 */
export function serverDatabaseChecks(report: ServerReport): Check[] {
  const { place, refusal, isKnown, missing, warnings } = report
  const warned = warnings.map((warning) =>
    warnedCheck('storage', NAME, warning, 'See beckon docs postgres.'),
  )
  if (refusal !== undefined) {
    return [failedCheck('storage', NAME, refusal, 'beckon docs postgres says what is needed.')]
  }
  if (!isKnown) {
    const message = `PostgreSQL at ${place} is reached, and holds no Beckon yet.`
    const cure = 'Start a server, which makes the tables, or correct BECKON_DATABASE_URL.'
    return [warnedCheck('storage', NAME, message, cure), ...warned]
  }
  if (missing.length > 0) {
    const message = `PostgreSQL at ${place} lacks ${missing.length} migrations of this version.`
    return [
      warnedCheck('storage', NAME, message, 'Restart a server; the first applies them.'),
      ...warned,
    ]
  }
  const sentence = `PostgreSQL at ${place} is reached and up to date, and changes are heard.`
  return [passedCheck('storage', NAME, sentence), ...warned]
}
