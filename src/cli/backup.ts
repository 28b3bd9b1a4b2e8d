import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isoTime, systemClock } from '../platform/clock.ts'
import { EXIT } from '../platform/command.ts'
import type { DatabaseConfig } from '../platform/config/config.ts'
import { backUp, restore as putBack } from '../platform/db/backup.ts'
import { placeOf } from '../platform/db/data-place.ts'
import { newestSnapshot, takeSnapshot } from '../platform/db/snapshots.ts'
import { WrongUsage } from '../platform/failure.ts'
import { DATA_OPTION, readOpenArguments } from '../platform/terminal/arguments.ts'
import { isTerminal, note, say } from '../platform/terminal/terminal.ts'
import { readConfig } from '../settings.ts'
import { refuseBesideService } from './service/beside-service.ts'
import { isLarge, watchBackup } from './watch-backup.ts'

/** `beckon backup`: one file of everything, with the server running or not. */
export async function backup(args: string[]): Promise<number> {
  const options = { ...DATA_OPTION, ...SNAPSHOT, force: { type: 'boolean' } } as const
  const { data, force = false, file } = readFile(args, options)
  const config = readConfig({ data })
  await refuseBesideService(config)
  const { dataFolder, database } = config
  if (database) throw inPostgres(database, 'pg_dump --format=custom makes a backup of it')
  if (isTerminal(2) && isLarge(dataFolder)) {
    return await watchBackup(args, { dataFolder, snapshots: config.snapshots.folder, file })
  }
  if (file === undefined) {
    const { path, bytes } = takeSnapshot(config, systemClock.now())
    say(`${path} is a snapshot of ${dataFolder}, ${Math.ceil(bytes / 1024)} KiB.`)
    return EXIT.done
  }
  const onBegin = () => note(`Copying the database of ${dataFolder} …`)
  const bytes = backUp(dataFolder, file, { replace: force, onBegin })
  say(`${file} is a backup of ${dataFolder}, ${Math.ceil(bytes / 1024)} KiB.`)
  if (existsSync(join(dataFolder, 'beckon.toml')))
    note('beckon.toml is not in it: keep a copy too.')
  return EXIT.done
}

/** `beckon restore`: replaces the database with a backup; the old database is kept beside it. */
export async function restore(args: string[]): Promise<number> {
  const { data, file: fileOption } = readFile(args, { ...DATA_OPTION, ...SNAPSHOT })
  const config = readConfig({ data })
  await refuseBesideService(config)
  const { dataFolder, database } = config
  if (database) {
    throw inPostgres(database, 'stop every server, and pg_restore --clean puts a backup back')
  }
  const file = fileOption ?? newestSnapshot(config)
  const backupPath = putBack(dataFolder, file, isoTime(systemClock.now()))
  say(`${file} is the database of ${dataFolder} now; start the server.`)
  if (backupPath)
    note(`What was there before is kept as ${backupPath}; delete it when all is well.`)
  return EXIT.done
}

const SNAPSHOT = { snapshot: { type: 'boolean' } } as const

/** The file that is named; undefined with `--snapshot`. */
function readFile<const O extends typeof SNAPSHOT & typeof DATA_OPTION>(
  args: string[],
  options: O,
) {
  const { operands, ...values } = readOpenArguments(args, options)
  const [file, extra] = operands
  const { snapshot, force } = values as { snapshot?: boolean; force?: boolean }
  const { data } = values as { data?: string }
  if (extra !== undefined) throw new WrongUsage(`"${extra}" is one argument too many.`)
  if (!snapshot && file === undefined) throw new WrongUsage('FILE is missing.')
  if (snapshot && (file !== undefined || force)) {
    throw new WrongUsage('--snapshot stands alone: the folder of snapshots is a setting.')
  }
  return { data, force, file }
}

function inPostgres({ url }: DatabaseConfig, how: string): WrongUsage {
  return new WrongUsage(
    `This is for a data folder, and the data is in PostgreSQL at ${placeOf(url)} (BECKON_DATABASE_URL): ${how} (beckon docs postgres).`,
  )
}
