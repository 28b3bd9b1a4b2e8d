import type { Config } from '../config/config.ts'
import { openDataFolder, openKnownFolder } from './data-folder.ts'
import type { OpenDb } from './database.ts'

type Where = Pick<Config, 'dataFolder' | 'database'>

type Server = {
  /** Called with what works, but not as it should. */
  warn(sentence: string): void
}

/**
 * Opens the database of a server or, without `server`, of a command: PostgreSQL where an address
 * is set, else SQLite in the data folder; made and migrated when needed. Throws `unavailable` in
 * one sentence when it cannot be used, `conflict` when a newer version has used it.
 */
export async function openDatabase(where: Where, server?: Server): Promise<OpenDb> {
  if (!where.database) return openDataFolder(where.dataFolder)
  // Nothing of PostgreSQL is loaded without an address of one.
  const { openPostgres } = await import('./postgres/open.ts')
  return await openPostgres({ ...where.database, listens: server !== undefined, ...server })
}

/** As `openDatabase`, for commands that need a data folder that has been used. */
export async function openKnownDatabase(where: Where): Promise<OpenDb> {
  return where.database ? await openDatabase(where) : openKnownFolder(where.dataFolder)
}
