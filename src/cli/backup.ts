import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime, systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { WrongUsage } from '../platform/config/wrong-usage.ts'
import { backUp, restore as putBack } from '../platform/db/backup.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { note, say } from '../platform/terminal/terminal.ts'

/** `beckon backup`: one file of everything, with the server running or not. */
export async function backup(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, force: { type: 'boolean' } } as const
  const { data, force, FILE } = readArguments(args, options, ['FILE'])
  const { dataFolder, database } = readConfig({ data })
  if (database) throw new WrongUsage(inPostgres('pg_dump --format=custom'))
  note(`Copying the database of ${dataFolder} …`)
  const bytes = backUp(dataFolder, FILE, { replace: force ?? false })
  say(`${FILE} is a backup of ${dataFolder}, ${Math.ceil(bytes / 1024)} KiB.`)
  if (existsSync(join(dataFolder, 'beckon.toml')))
    note('beckon.toml is not in it: keep a copy too.')
  return EXIT.done
}

/** `beckon restore`: replaces the database with a backup; the old database is kept beside it. */
export async function restore(args: string[]): Promise<number> {
  const { data, FILE } = readArguments(args, DATA_OPTION, ['FILE'])
  const { dataFolder, database } = readConfig({ data })
  if (database) throw new WrongUsage(inPostgres('pg_restore --clean'))
  const kept = putBack(dataFolder, FILE, isoTime(systemClock.now()))
  say(`${FILE} is the database of ${dataFolder} now; start the server.`)
  if (kept) note(`What was there before is kept as ${kept}; delete it when all is well.`)
  return EXIT.done
}

function inPostgres(command: string): string {
  return `Everything is in PostgreSQL (BECKON_DATABASE_URL); use its own tools, such as ${command}.`
}
