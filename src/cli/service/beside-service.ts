import type { Config } from '../../platform/config/config.ts'
import { findDatabase } from '../../platform/db/find-database.ts'
import { Failure } from '../../platform/failure.ts'

/**
 * Throws `conflict` if a command would read or create data in a folder whose service keeps its data
 * in PostgreSQL: the shell does not see the settings of a service.
 */
export async function refuseBesideService(config: Config): Promise<void> {
  const conflict = await whereServiceKeeps(config)
  if (conflict !== undefined) throw new Failure('conflict', conflict)
}

/** Says where the service of this folder keeps its data, if that is in PostgreSQL. */
export async function whereServiceKeeps(config: Config): Promise<string | undefined> {
  if (config.database || findDatabase(config.dataFolder).state !== 'absent') return undefined
  // Services are only looked up if there is no data, because that takes longer than most commands.
  const { dataOfService } = await import('./data-of-service.ts')
  return await dataOfService(config)
}
