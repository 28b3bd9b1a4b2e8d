import { readConfig } from '../platform/config/config.ts'
import { openDataFolder } from '../platform/db/data-folder.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { say } from '../platform/terminal/terminal.ts'

/** `beckon migrate`: opening the data folder applies what is missing. */
export async function migrate(args: string[]): Promise<number> {
  const { data } = readArguments(args, DATA_OPTION)
  const { dataFolder } = readConfig({ data })
  await using db = openDataFolder(dataFolder)
  say(
    db.migrated.length === 0
      ? `${db.path} is up to date.`
      : `${db.path} is up to date; applied ${db.migrated.join(', ')}.`,
  )
  return EXIT.done
}
