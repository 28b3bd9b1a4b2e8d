import type { Config } from '../config/config.ts'
import type { Read } from './database.ts'
import { inspectFolder } from './inspect-folder.ts'
import { openReader } from './sqlite.ts'

type Where = Pick<Config, 'dataFolder' | 'database'>

/**
 * Opens the data of a server for reading only: nothing is created or migrated. Undefined if there
 * is none, or if another version made it. Throws a `Failure` if PostgreSQL cannot be used.
 */
export async function lookInto({
  dataFolder,
  database,
}: Where): Promise<({ read: Read } & (Disposable | AsyncDisposable)) | undefined> {
  if (database) return await (await postgres()).lookIntoPostgres(database)
  const { database: report } = inspectFolder(dataFolder, 0)
  if (report.state !== 'read' || report.missing.length + report.foreign.length > 0) return undefined
  return openReader(report.path)
}

/**
 * Returns true if a newer version has changed the data, so that this one can no longer serve it;
 * false if nothing can be read. Throws a `Failure` if PostgreSQL cannot be used.
 */
export async function isBeyondThis({ dataFolder, database }: Where): Promise<boolean> {
  if (database) return await (await postgres()).isBeyondThisProgram(database)
  const { database: report } = inspectFolder(dataFolder, 0)
  return report.state === 'read' && report.foreign.length > 0
}

/** Nothing of PostgreSQL is loaded without an address of one. */
async function postgres() {
  return await import('./postgres/look-into.ts')
}
