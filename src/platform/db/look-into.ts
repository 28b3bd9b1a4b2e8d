import type { Config } from '../config/config.ts'
import type { Read } from './database.ts'
import { inspectFolder } from './inspect-folder.ts'
import { openReader } from './sqlite.ts'

/**
 * Opens the data of a server to read alone: nothing is made or migrated. Undefined when there is
 * none, or another version has made it. Throws a `Failure` when PostgreSQL cannot be used.
 */
export async function lookInto({
  dataFolder,
  database,
}: Pick<Config, 'dataFolder' | 'database'>): Promise<
  ({ read: Read } & (Disposable | AsyncDisposable)) | undefined
> {
  if (database) {
    // Nothing of PostgreSQL is loaded without an address of one.
    const { lookIntoPostgres } = await import('./postgres/look-into.ts')
    return await lookIntoPostgres(database)
  }
  const { database: found } = inspectFolder(dataFolder, 0)
  if (found.state !== 'read' || found.missing.length + found.foreign.length > 0) return undefined
  return openReader(found.path)
}
