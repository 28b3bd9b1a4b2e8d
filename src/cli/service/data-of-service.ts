import type { Config } from '../../platform/config/config.ts'
import { placeOf } from '../../platform/db/data-place.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { installedServices, realPath } from './installed.ts'
import { thisMachine } from './machine.ts'
import { MANAGERS } from './managers.ts'
import { serviceConfig } from './server-state.ts'

/** See `whereServiceKeeps`. */
export async function dataOfService(config: Config): Promise<string | undefined> {
  const machine = thisMachine()
  if (!MANAGERS.some(({ platform }) => platform === machine.platform)) return undefined
  for (const { file, place, options, dataFolder } of await installedServices(machine)) {
    if (dataFolder === undefined || realPath(dataFolder) !== realPath(config.dataFolder)) continue
    const database = databaseOf(() => serviceConfig(place, dataFolder, options))
    if (!database) continue
    return `The service ${file} keeps its data in PostgreSQL at ${placeOf(database.url)}, not in ${dataFolder}: set BECKON_DATABASE_URL here, too, as it is in ${place.settingsFile ?? 'its settings'}.`
  }
  return undefined
}

/** Also undefined if the settings of the service cannot be read. */
function databaseOf(read: () => Config): Config['database'] {
  try {
    return read().database
  } catch (error) {
    if (error instanceof Failure || error instanceof WrongUsage) return undefined
    throw error
  }
}
