import { SQL } from 'bun'
import type { OpenDb } from '../../src/platform/db/database.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { openSqlite } from '../../src/platform/db/sqlite.ts'
import { migratedDatabase } from './migrated-database.ts'

/**
 * The address of a PostgreSQL server that tests make databases on, with a template that has every
 * table: `bun run test:postgres` sets it. Without it tests stand on SQLite.
 */
export const TEST_POSTGRES = process.env.TEST_POSTGRES

export const TEMPLATE = 'beckon_template'

export type TestDatabase = AsyncDisposable & { url: string }

let count = 0

/** An empty database with every table, gone when it goes out of scope. */
export async function testDatabase(): Promise<TestDatabase> {
  if (!TEST_POSTGRES) throw new Error('TEST_POSTGRES is not set: bun run test:postgres')
  const name = `t_${process.pid}_${++count}`
  await onServer((sql) => sql.unsafe(`create database ${name} template ${TEMPLATE}`))
  const url = new URL(TEST_POSTGRES)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await onServer((sql) => sql.unsafe(`drop database ${name} with (force)`))
    },
  }
}

/** With `bun run test:postgres` a database of its own; else undefined. */
export async function ownDatabase(): Promise<TestDatabase | undefined> {
  return TEST_POSTGRES ? await testDatabase() : undefined
}

/** A database for one test: SQLite in `folder`, PostgreSQL with `bun run test:postgres`. */
export async function openTestDatabase(folder: string): Promise<AsyncDisposable & { db: OpenDb }> {
  const own = await ownDatabase()
  const db = own
    ? await openPostgres({ url: own.url, listenUrl: undefined, pool: 5 })
    : openSqlite(migratedDatabase(folder))
  if (own) watched.add(db)
  return {
    db,
    async [Symbol.asyncDispose]() {
      watched.delete(db)
      await db[Symbol.asyncDispose]()
      await own?.[Symbol.asyncDispose]()
    },
  }
}

const watched = new Set<Pick<OpenDb, 'queued'>>()

/** Resolves when no test database of PostgreSQL has had anything to do for a few turns. */
export async function quiet(): Promise<void> {
  for (let turns = 0; watched.size > 0 && turns < 5; turns++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    for (const db of watched) if (db.queued() > 0) turns = 0
    if (turns === 0) await Bun.sleep(1)
  }
}

/** Counts `db` among those that `quiet` waits for, until the returned function is called. */
export function watch(db: Pick<OpenDb, 'queued'>): () => void {
  watched.add(db)
  return () => watched.delete(db)
}

let server: SQL | undefined

function onServer<T>(work: (sql: SQL) => Promise<T>): Promise<T> {
  server ??= new SQL(TEST_POSTGRES as string, { max: 2, idleTimeout: 5 })
  return work(server)
}
