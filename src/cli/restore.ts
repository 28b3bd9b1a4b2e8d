import { isoTime, systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { restore as putBack } from '../platform/db/backup.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { note, say } from '../platform/terminal/terminal.ts'

/** `beckon restore`: a backup takes the place of the database, which is kept beside it. */
export async function restore(args: string[]): Promise<number> {
  const { data, FILE } = readArguments(args, DATA_OPTION, ['FILE'])
  const { dataFolder } = readConfig({ data })
  const kept = putBack(dataFolder, FILE, isoTime(systemClock.now()))
  say(`${FILE} is the database of ${dataFolder} now; start the server.`)
  if (kept) note(`What was there before is kept as ${kept}; delete it when all is well.`)
  return EXIT.done
}
