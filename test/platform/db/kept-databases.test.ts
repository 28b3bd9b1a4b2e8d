import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, restore } from '../../../src/platform/db/backup.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { inspectFolder } from '../../../src/platform/db/inspect-folder.ts'
import { lookInto } from '../../../src/platform/db/look-into.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts'
import {
  expectToGoOn,
  keptDatabase,
  keptNames,
  keptStory,
  startLater,
} from '../../support/kept-databases.ts'
import { miscounted } from '../../support/miscounted.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NAMES = keptNames('sqlite')
const OLDEST = NAMES[0] as string

for (const name of NAMES) {
  test(`a server on a database of ${name} goes on where it was`, async () => {
    const story = keptStory('sqlite', name)
    await using server = await startLater(story, {
      fill: async (folder) => unpack(name, join(folder, 'beckon.db')),
    })
    await expectToGoOn(story, server.app.url)
  })

  test(`a database of ${name} has the tables and indexes of a new one`, () => {
    using folder = tempFolder()
    const path = join(folder.path, 'beckon.db')
    unpack(name, path)
    const missing = MIGRATIONS.slice(1)
      .map((migration) => migration.name)
      .filter((it) => it > name)
    expect(inspectFolder(folder.path, 0).database).toMatchObject({ missing, foreign: [] })
    using old = new Database(path, { strict: true })
    expect(migrate(old)).toEqual(missing)
    expect(migrate(old)).toEqual([])
    using fresh = new Database(':memory:', { strict: true })
    migrate(fresh)
    expect(schemaOf(old)).toEqual(schemaOf(fresh))
    const [token] = old.query('select open_questions, kept_bytes from token_usage').values()
    expect([token?.[0], Number(token?.[1]) > 500]).toEqual([1, true])
    expect(miscounted(old)).toEqual([])
    expect(old.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(old.query('pragma foreign_key_check').all()).toEqual([])
  })
}

test('a backup made by the version before the first migration of today can be restored', async () => {
  using folder = tempFolder()
  const file = join(folder.path, 'backup.db')
  unpack(OLDEST, file)
  const data = join(folder.path, 'data')
  restore(data, file, '2026-01-31')
  const story = keptStory('sqlite', OLDEST)
  await using read = await lookInto({ dataFolder: data, database: undefined })
  // Only a server brings it up to date.
  expect(read).toBeUndefined()
  await using db = openDataFolder(data)
  expect(db.migrated).toEqual(MIGRATIONS.slice(1).map(({ name }) => name))
  const copy = join(folder.path, 'again.db')
  backUp(data, copy, { replace: false })
  using again = new Database(copy, { readonly: true })
  const open = again.query("select id from questions where status = 'pending'").values()
  expect(open).toEqual([[story.open.id]])
})

test('a database of an early build is refused with the way out, and left as it is', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  unpack(OLDEST, path)
  {
    using old = new Database(path)
    old.run("delete from migrations where name > '0020_contained'")
  }
  const before = namesIn(path)
  const refusal = expect.objectContaining({
    code: 'conflict',
    message: expect.stringMatching(
      /an early build of Beckon \(up to 0020_contained\).*0034_hook-gaps.*docs operations/,
    ),
  })
  expect(() => openDataFolder(folder.path)).toThrow(refusal)
  const other = join(folder.path, 'other')
  expect(() => restore(other, path, '2026-01-31')).toThrow(refusal)
  expect(existsSync(other)).toBe(false)
  expect(namesIn(path)).toEqual(before)
  // A backup may still be made of it.
  backUp(folder.path, join(folder.path, 'copy.db'), { replace: false })
  expect(namesIn(join(folder.path, 'copy.db'))).toEqual(before)
})

test('a database with all early migrations and one of another build is refused', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  unpack(OLDEST, path)
  {
    using old = new Database(path)
    old.run("insert into migrations values ('0033_other', 1)")
  }
  expect(() => openDataFolder(folder.path)).toThrow(/another build of Beckon \(0033_other\)/)
})

function unpack(name: string, path: string) {
  writeFileSync(path, keptDatabase('sqlite', name))
}

function namesIn(path: string) {
  using database = new Database(path, { readonly: true })
  return database.query('select name from migrations order by name').values().flat()
}

/** Tables with their columns, and indexes, without the order in which they came to be. */
function schemaOf(database: Database) {
  const all = database
    .query<{ type: string; name: string; sql: string }, []>(
      "select type, name, sql from sqlite_master where name not like 'sqlite_%' order by type, name",
    )
    .all()
  return all.map(({ type, name, sql }) => {
    if (type === 'index') return { type, name, sql }
    const columns = database.query<{ name: string }, []>(`pragma table_xinfo('${name}')`).all()
    const sorted = columns.map(({ ...column }) => ({ ...column, cid: undefined }))
    sorted.sort((a, b) => (a.name < b.name ? -1 : 1))
    return { type, name, columns: sorted }
  })
}
