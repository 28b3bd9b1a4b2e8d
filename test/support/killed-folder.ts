import { Database } from 'bun:sqlite'
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { findDatabase } from '../../src/platform/db/find-database.ts'
import { serveAlone } from '../../src/platform/db/only-server.ts'
import { sweepDataFolder } from '../../src/platform/db/sweep-data-folder.ts'

/**
 * A data folder in `parent` as a server that was killed leaves it: the table `kept`, with three
 * rows, is only in the log.
 */
export async function killedFolder(parent: string): Promise<string> {
  const live = join(parent, 'live')
  const folder = join(parent, 'data')
  mkdirSync(folder, { mode: 0o700 })
  await using _db = openDataFolder(live)
  using writer = new Database(join(live, 'beckon.db'))
  writer.run('create table kept (n integer)')
  writer.run('insert into kept values (1), (2), (3)')
  for (const name of readdirSync(live)) copyFileSync(join(live, name), join(folder, name))
  return folder
}

/** How many rows `killedFolder` put into the database at `path`; undefined for another one. */
export function keptRows(path: string): number | undefined {
  using database = new Database(path, { readwrite: true, create: false })
  const [table] = database.query("select 1 from sqlite_master where name = 'kept'").values()
  return table && Number(database.query('select count(*) from kept').values()[0]?.[0])
}

/**
 * Which database the next start of a server finds, once it has swept and opened the folder: the `old` one, whole, one that
 * `isNew`, or none, because it refuses the folder.
 */
export async function nextStart(
  folder: string,
  isNew: (database: Database) => boolean,
): Promise<'old' | 'new' | 'refused'> {
  if (findDatabase(folder).state === 'unknown') return 'refused'
  {
    using _alone = serveAlone(folder)
    sweepDataFolder(folder)
  }
  await openDataFolder(folder)[Symbol.asyncDispose]()
  const file = join(folder, 'beckon.db')
  using database = new Database(file, { readonly: true })
  const [damage] = database.query('pragma integrity_check').values()[0] ?? []
  if (damage !== 'ok') throw new Error(`${file}: ${damage}`)
  if (isNew(database)) return 'new'
  const rows = keptRows(file)
  if (rows !== 3) throw new Error(`${file} has ${rows} of 3 rows`)
  return 'old'
}

/** Whether what was replaced in a folder is beside it, with its rows or with its log. */
export function isKept(folder: string): boolean {
  const names = readdirSync(folder).filter((name) => name.startsWith('beckon.db.before-restore-'))
  return names.some((name) =>
    name.endsWith('-wal')
      ? statSync(join(folder, name)).size > 0
      : !name.endsWith('-shm') && keptRows(join(folder, name)) === 3,
  )
}

/** The names of copies in a folder that were not finished. */
export function unfinishedIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.(part|moving)(-\w+)?$/.test(name))
}
