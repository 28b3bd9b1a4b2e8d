import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../platform/config/config.ts'
import { backUp } from '../platform/db/backup.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { note, say } from '../platform/terminal/terminal.ts'

/** `beckon backup`: one file of everything, with the server running or not. */
export async function backup(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, force: { type: 'boolean' } } as const
  const { data, force, FILE } = readArguments(args, options, ['FILE'])
  const { dataFolder } = readConfig({ data })
  note(`Copying the database of ${dataFolder} …`)
  const bytes = backUp(dataFolder, FILE, { replace: force ?? false })
  say(`${FILE} is a backup of ${dataFolder}, ${Math.ceil(bytes / 1024)} KiB.`)
  if (existsSync(join(dataFolder, 'beckon.toml')))
    note('beckon.toml is not in it: keep a copy too.')
  return EXIT.done
}
