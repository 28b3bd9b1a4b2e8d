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
  const open = await postgres()
  return await open({ ...where.database, listens: server !== undefined, ...server })
}

/**
 * As `openDatabase`, for commands that need data: nothing is made where no Beckon has been yet, and
 * `not_found` says so.
 */
export async function openKnownDatabase(where: Where): Promise<OpenDb> {
  if (!where.database) return openKnownFolder(where.dataFolder)
  const open = await postgres()
  return await open({ ...where.database, listens: false, mustBeKnown: true })
}

/** Nothing of PostgreSQL is loaded without an address of one. */
async function postgres() {
  return (await import('./postgres/open.ts')).openPostgres
}
