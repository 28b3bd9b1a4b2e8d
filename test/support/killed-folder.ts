import { Database } from 'bun:sqlite'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'

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
