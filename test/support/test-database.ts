import { SQL } from 'bun'

/**
 * The address of a PostgreSQL server that tests make databases on, with a template that has every
 * table: `bun run test:postgres` sets it. Without it tests stand on SQLite.
 */
export const TEST_POSTGRES = process.env.TEST_POSTGRES

export const TEMPLATE = 'beckon_template'

export type TestDatabase = AsyncDisposable & { url: string }

let made = 0

/** An empty database with every table, gone when it goes out of scope. */
export async function testDatabase(): Promise<TestDatabase> {
  if (!TEST_POSTGRES) throw new Error('TEST_POSTGRES is not set: bun run test:postgres')
  const name = `t_${process.pid}_${++made}`
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

let server: SQL | undefined

function onServer<T>(work: (sql: SQL) => Promise<T>): Promise<T> {
  server ??= new SQL(TEST_POSTGRES as string, { max: 2, idleTimeout: 5 })
  return work(server)
}
