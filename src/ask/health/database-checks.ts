import type { DatabaseConfig } from '../../platform/config/config.ts'
import { Failure } from '../../platform/failure.ts'
import { type Check, failedCheck, passedCheck, warnedCheck } from './model/check.ts'

/** A database in PostgreSQL as it is found; looking at it changes nothing. */
export type ServerReport = {
  /** Host and name of the database. */
  place: string
  /** Why it cannot be used, in a sentence. */
  refusal?: string | undefined
  /** Migrations of this program that it lacks. */
  missing: readonly string[]
  /** What works, but not as it should, each in a sentence. */
  warnings: readonly string[]
}

/** Undefined where the data is in the data folder. Ends within some seconds. */
export async function inspectServer(
  database: DatabaseConfig | undefined,
): Promise<ServerReport | undefined> {
  if (!database) return undefined
  // Nothing of PostgreSQL is loaded without an address of one.
  const { inspectPostgres, placeOf } = await import('../../platform/db/postgres/inspect.ts')
  try {
    return await inspectPostgres(database)
  } catch (error) {
    const refusal = error instanceof Failure ? error.message : 'The database cannot be looked at.'
    return { place: placeOf(database.url), refusal, missing: [], warnings: [] }
  }
}

const NAME = 'Database'

/** Whether PostgreSQL can be reached, is what Beckon needs, and tells its listeners of changes. */
export function serverDatabaseChecks({ place, refusal, missing, warnings }: ServerReport): Check[] {
  const warned = warnings.map((said) => warnedCheck('storage', NAME, said, 'See docs/postgres.md.'))
  if (refusal !== undefined) {
    const said = `PostgreSQL at ${place} cannot be used: ${refusal}`
    const cure = 'Check BECKON_DATABASE_URL and that PostgreSQL runs; see docs/postgres.md.'
    return [failedCheck('storage', NAME, said, cure)]
  }
  if (missing.length > 0) {
    const said = `PostgreSQL at ${place} lacks ${missing.length} migrations of this version.`
    return [
      warnedCheck('storage', NAME, said, 'Restart a server; the first applies them.'),
      ...warned,
    ]
  }
  const said = `PostgreSQL at ${place} is reached and up to date, and changes are heard.`
  return [passedCheck('storage', NAME, said), ...warned]
}
