import { expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import * as tables from '../../../drizzle/tables.ts'
import { toPg } from '../../../drizzle/to-pg.ts'
import { MIGRATIONS as SQLITE } from '../../../src/platform/db/migrations.ts'
import { MIGRATIONS } from '../../../src/platform/db/postgres/migrations.ts'
import { runCommand } from '../../support/run-command.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FOLDER = join(import.meta.dir, '../../../drizzle/postgres')

test('the migrations in the program are the files of drizzle/postgres, in their order', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
  for (const { name, sql } of MIGRATIONS) {
    expect(sql).toBe(readFileSync(join(FOLDER, `${name}.sql`), 'utf8'))
  }
})

test('each migration of SQLite has its counterpart: bun run db:generate writes it', () => {
  expect(MIGRATIONS.map(({ name }) => name)).toEqual(SQLITE.map(({ name }) => name))
})

test('nothing is left to generate', async () => {
  const snapshot = JSON.parse(readFileSync(join(FOLDER, 'snapshot.json'), 'utf8'))
  const present = generateDrizzleJson(toPg(tables), snapshot.id)
  expect(await generateMigration(snapshot, present)).toEqual([])
})

test('the migrations lead to the very schema that the tables say', async () => {
  await using client = await PGlite.create()
  const whole = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(toPg(tables)))
  await client.exec('create schema derived; set search_path to derived')
  await client.exec(whole.join('\n'))
  await client.exec('create schema migrated; set search_path to migrated')
  for (const { sql } of MIGRATIONS) await client.exec(sql)
  const migrated = await schemaOf(client, 'migrated')
  expect(migrated.length).toBeGreaterThan(500)
  expect(migrated).toEqual(await schemaOf(client, 'derived'))
})

test('db:generate writes what a table gained, with nothing in PATH', async () => {
  using folder = tempFolder()
  const root = join(FOLDER, '../..')
  for (const part of ['drizzle', 'packages', 'src', 'package.json']) {
    cpSync(join(root, part), join(folder.path, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  const file = join(folder.path, 'src/ask/audit/model/table.ts')
  const column = "ground: text('ground'),"
  writeFileSync(file, readFileSync(file, 'utf8').replace(/sqliteTable\(.*?\{/s, `$&${column}`))
  const generate = (name: string) =>
    runCommand([process.execPath, 'drizzle/generate.ts', name], {
      cwd: folder.path,
      env: { PATH: '' },
    })

  expect(await generate('ground')).toMatchObject({ code: 0 })
  const next = `${String(Number(SQLITE.at(-1)?.name.slice(0, 4)) + 1).padStart(4, '0')}_ground`
  const written = (dialect: string) =>
    readFileSync(join(folder.path, 'drizzle', dialect, `${next}.sql`), 'utf8')
  expect(written('sqlite')).toBe('ALTER TABLE `audit` ADD `ground` text;\n')
  expect(written('postgres')).toBe('ALTER TABLE "audit" ADD COLUMN "ground" text COLLATE "C";\n')
  const embedded = 'src/platform/db/migrations.ts'
  expect(readFileSync(join(folder.path, embedded), 'utf8')).toContain(`'${next}'`)

  expect(await generate('rows')).toMatchObject({ code: 0 })
  expect(readdirSync(join(folder.path, 'drizzle/sqlite')).sort().slice(-2)).toEqual([
    expect.stringMatching(/_rows.sql$/),
    'snapshot.json',
  ])
  expect(await generate('')).toMatchObject({ code: 2 })
})

/** Columns and indexes, a line each. */
async function schemaOf(client: PGlite, schema: string): Promise<string[]> {
  const columns = await client.query<{ line: string }>(
    `select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default)
       as line from information_schema.columns where table_schema = $1`,
    [schema],
  )
  const indexes = await client.query<{ line: string }>(
    `select replace(indexdef, $1 || '.', '') as line from pg_indexes where schemaname = $1`,
    [schema],
  )
  return [...columns.rows, ...indexes.rows].map(({ line }) => line).sort()
}
