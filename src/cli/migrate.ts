import { readConfig } from '../platform/config/config.ts'
import { openDatabase } from '../platform/db/open-database.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { say } from '../platform/terminal/terminal.ts'

/** `beckon migrate`: opening the data folder applies what is missing. */
export async function migrate(args: string[]): Promise<number> {
  const { data } = readArguments(args, DATA_OPTION)
  await using db = await openDatabase(readConfig({ data }))
  say(
    db.migrated.length === 0
      ? `${db.place} is up to date.`
      : `${db.place} is up to date; applied ${db.migrated.join(', ')}.`,
  )
  return EXIT.done
}
