import { CATALOG as ON_FILES } from '../catalog/commands/command.ts'
import type { Command } from '../platform/command.ts'

// The others only work on files, or report by themselves that there is no data.
const ON_DATA = new Set(['publish', 'probe', 'drafts', 'mirror', 'export'])

/** `beckon catalog`, which refuses to publish where a service on PostgreSQL would not see it. */
export const CATALOG: Command = {
  ...ON_FILES,
  load: async () => {
    const { catalog } = await import('../catalog/commands/catalog.ts')
    const { readConfig } = await import('../settings.ts')
    const { watch, watchList } = await import('./catalog-watch.ts')
    return async (args) => {
      await refuseBeside(args)
      return await catalog(args, readConfig, { watch, watchList })
    }
  },
}

async function refuseBeside([way = '', ...rest]: string[]): Promise<void> {
  if (!ON_DATA.has(way)) return
  // Loaded later, because a hook also reads this table of commands and starts in milliseconds.
  const { parseArgs } = process.getBuiltinModule('node:util')
  const { DATA_OPTION } = await import('../platform/terminal/arguments.ts')
  // The command itself refuses what it does not know, as it does a folder that is not named.
  const { values } = parseArgs({ args: rest, options: DATA_OPTION, strict: false })
  const data = typeof values.data === 'string' ? values.data : undefined
  const { readConfig } = await import('../settings.ts')
  const { refuseBesideService } = await import('./service/beside-service.ts')
  await refuseBesideService(readConfig({ data }))
}
