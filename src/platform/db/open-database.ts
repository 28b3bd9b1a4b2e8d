import type { Config } from '../config/config.ts'
import { openDataFolder, openKnownFolder } from './data-folder.ts'
import type { OpenDb } from './database.ts'

type Where = Pick<Config, 'dataFolder' | 'database'>

type Server = {
  /** Called with warnings about what works, but not as it should. */
  warn(sentence: string): void
}

/**
 * Opens the database of a server or, without `server`, of a command: PostgreSQL if an address is
 * set, otherwise SQLite in the data folder. It is created and migrated if necessary. Throws
 * `unavailable` in one sentence if it cannot be used, `conflict` if another version has used it.
 */
export async function openDatabase(where: Where, server?: Server): Promise<OpenDb> {
  if (!where.database) return openDataFolder(where.dataFolder)
  const open = await postgres()
  return await open({ ...where.database, listens: server !== undefined, ...server })
}

/**
 * As `openDatabase`, for commands that need existing data: creates nothing, and throws `not_found`
 * if no Beckon has used the place.
 */
export async function openKnownDatabase(where: Where): Promise<OpenDb> {
  if (!where.database) return openKnownFolder(where.dataFolder)
  const open = await postgres()
  return await open({ ...where.database, listens: false, mustExist: true })
}

/** Nothing of PostgreSQL is loaded without an address of one. */
async function postgres() {
  return (await import('./postgres/open.ts')).openPostgres
}
