import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime, systemClock } from '../platform/clock.ts'
import { type DatabaseConfig, readConfig } from '../platform/config/config.ts'
import { backUp, restore as putBack } from '../platform/db/backup.ts'
import { placeOf } from '../platform/db/data-place.ts'
import { WrongUsage } from '../platform/failure.ts'
import { DATA_OPTION, readArguments } from '../platform/terminal/arguments.ts'
import { EXIT } from '../platform/terminal/command.ts'
import { note, say } from '../platform/terminal/terminal.ts'
import { refuseBesideService } from './service/beside-service.ts'

/** `beckon backup`: one file of everything, with the server running or not. */
export async function backup(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, force: { type: 'boolean' } } as const
  const { data, force, FILE } = readArguments(args, options, ['FILE'])
  const config = readConfig({ data })
  await refuseBesideService(config)
  const { dataFolder, database } = config
  if (database) throw inPostgres(database, 'pg_dump --format=custom makes a backup of it')
  const onBegin = () => note(`Copying the database of ${dataFolder} …`)
  const bytes = backUp(dataFolder, FILE, { replace: force ?? false, onBegin })
  say(`${FILE} is a backup of ${dataFolder}, ${Math.ceil(bytes / 1024)} KiB.`)
  if (existsSync(join(dataFolder, 'beckon.toml')))
    note('beckon.toml is not in it: keep a copy too.')
  return EXIT.done
}

/** `beckon restore`: replaces the database with a backup; the old database is kept beside it. */
export async function restore(args: string[]): Promise<number> {
  const { data, FILE } = readArguments(args, DATA_OPTION, ['FILE'])
  const config = readConfig({ data })
  await refuseBesideService(config)
  const { dataFolder, database } = config
  if (database) {
    throw inPostgres(database, 'stop every server, and pg_restore --clean puts a backup back')
  }
  const kept = putBack(dataFolder, FILE, isoTime(systemClock.now()))
  say(`${FILE} is the database of ${dataFolder} now; start the server.`)
  if (kept) note(`What was there before is kept as ${kept}; delete it when all is well.`)
  return EXIT.done
}

function inPostgres({ url }: DatabaseConfig, how: string): WrongUsage {
  return new WrongUsage(
    `This is for a data folder, and the data is in PostgreSQL at ${placeOf(url)} (BECKON_DATABASE_URL): ${how} (docs/postgres.md).`,
  )
}
