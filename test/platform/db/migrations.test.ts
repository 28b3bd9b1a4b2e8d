import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import * as tables from '../../../drizzle/tables.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { MIGRATIONS } from '../../../src/platform/db/migrations.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FOLDER = join(import.meta.dir, '../../../drizzle/sqlite')

test('the migrations in the program are the files of drizzle/sqlite, in their order', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
  for (const { name, sql } of MIGRATIONS) {
    expect(sql).toBe(readFileSync(join(FOLDER, `${name}.sql`), 'utf8'))
  }
})

test('the migrations make what the tables say: nothing is left to generate', async () => {
  const snapshot = JSON.parse(readFileSync(join(FOLDER, 'snapshot.json'), 'utf8'))
  const present = await generateSQLiteDrizzleJson(tables, snapshot.id)
  expect(await generateSQLiteMigration(snapshot, present)).toEqual([])
})

test('every file of tables is in the list that migrations are made from', () => {
  const src = join(import.meta.dir, '../../../src')
  const list = readFileSync(join(src, '../drizzle/tables.ts'), 'utf8')
  const files = [...new Glob('**/*.ts').scanSync(src)].filter((file) =>
    readFileSync(join(src, file), 'utf8').includes('= sqliteTable('),
  )
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) {
    expect(list).toContain(`'../src/${file}'`)
  }
})

test('a table that is not in the migrations would be noticed', async () => {
  const { settings, ...others } = tables
  const before = await generateSQLiteDrizzleJson(others)
  const missing = await generateSQLiteMigration(before, await generateSQLiteDrizzleJson(tables))
  expect(missing.join('\n')).toContain('settings')
})

test('an empty database gets every migration once', () => {
  using database = new Database(':memory:', { strict: true })
  expect(migrate(database)).toEqual(MIGRATIONS.map(({ name }) => name))
  expect(migrate(database)).toEqual([])
})

test('a migration that fails leaves the database as it was', () => {
  using database = new Database(':memory:', { strict: true })
  const broken = [{ name: '0000_a', sql: 'create table a (x); create tabel b (x);' }]
  expect(() => migrate(database, broken)).toThrow()
  expect(database.query("select name from sqlite_master where name = 'a'").all()).toEqual([])
  expect(migrate(database, [{ name: '0000_a', sql: 'create table a (x);' }])).toEqual(['0000_a'])
})

test('a database of a build with a migration of another name is not called newer', () => {
  using other = new Database(':memory:', { strict: true })
  const tables = () => other.query('select name from sqlite_master').values().flat()
  migrate(other, [{ name: '0000_begin', sql: 'create table a (x);' }])
  const before = tables()
  expect(() => migrate(other)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: expect.stringMatching(/another build of Beckon \(0000_begin\)/),
    }),
  )
  expect(tables()).toEqual(before)
})

test('a database of a newer version is refused in a sentence, and left as it is', () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  using newer = new Database(path, { create: true, strict: true })
  migrate(newer, [...MIGRATIONS, { name: '9999_later', sql: 'create table later (x);' }])
  newer.run('drop table questions')
  expect(() => openDataFolder(folder.path)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      message: expect.stringContaining('newer version'),
    }),
  )
  expect(newer.query("select name from sqlite_master where name = 'questions'").all()).toEqual([])
})
