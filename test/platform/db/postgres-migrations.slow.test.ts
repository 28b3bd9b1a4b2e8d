import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import * as tables from '../../../drizzle/tables.ts'
import { toPg } from '../../../drizzle/to-pg.ts'
import { MIGRATIONS as SQLITE } from '../../../src/platform/db/migrations.ts'
import { MIGRATIONS } from '../../../src/platform/db/postgres/migrations.ts'

const FOLDER = join(import.meta.dir, '../../../drizzle/postgres')

test('the migrations in the program are the files of drizzle/postgres, in their order', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
  for (const { name, sql } of MIGRATIONS) {
    expect(sql).toBe(readFileSync(join(FOLDER, `${name}.sql`), 'utf8'))
  }
})

test('each migration of SQLite has its counterpart: bun run db:generate writes it', () => {
  // The first one has all of those before it.
  const first = SQLITE.findIndex(({ name }) => name === MIGRATIONS[0]?.name)
  expect(first).toBeGreaterThan(0)
  expect(MIGRATIONS.map(({ name }) => name)).toEqual(SQLITE.slice(first).map(({ name }) => name))
})

test('nothing is left to generate', async () => {
  const latest = readdirSync(join(FOLDER, 'meta')).sort().at(-1) as string
  const snapshot = JSON.parse(readFileSync(join(FOLDER, 'meta', latest), 'utf8'))
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
