import type { Config } from '../config/config.ts'
import type { Read } from './database.ts'
import { inspectFolder } from './inspect-folder.ts'
import { openReader } from './sqlite.ts'

type Where = Pick<Config, 'dataFolder' | 'database'>

/**
 * Opens the data of a server to read alone: nothing is made or migrated. Undefined when there is
 * none, or another version has made it. Throws a `Failure` when PostgreSQL cannot be used.
 */
export async function lookInto({
  dataFolder,
  database,
}: Where): Promise<({ read: Read } & (Disposable | AsyncDisposable)) | undefined> {
  if (database) return await (await postgres()).lookIntoPostgres(database)
  const { database: found } = inspectFolder(dataFolder, 0)
  if (found.state !== 'read' || found.missing.length + found.foreign.length > 0) return undefined
  return openReader(found.path)
}

/**
 * Whether a newer version has changed the data, so that this one cannot serve them any more; false,
 * too, where nothing can be read. Throws a `Failure` when PostgreSQL cannot be used.
 */
export async function isBeyondThis({ dataFolder, database }: Where): Promise<boolean> {
  if (database) return await (await postgres()).isBeyondThisProgram(database)
  const { database: found } = inspectFolder(dataFolder, 0)
  return found.state === 'read' && found.foreign.length > 0
}

/** Nothing of PostgreSQL is loaded without an address of one. */
async function postgres() {
  return await import('./postgres/look-into.ts')
}
