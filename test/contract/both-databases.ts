import { afterAll, afterEach, beforeAll, describe } from 'bun:test'
import { SQL } from 'bun'
import type { Db } from '../../src/platform/db/database.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { openSqlite } from '../../src/platform/db/sqlite.ts'
import { migratedDatabase } from '../support/migrated-database.ts'
import { EMPTY_ALL, openPglite } from '../support/pglite.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, testDatabase } from '../support/test-database.ts'

type Opened = AsyncDisposable & { db: Db; clear(): Promise<void> }

/** Gives the database that the present test runs on, empty. */
export type OnDatabase = () => Db

const DATABASES: Record<string, () => Promise<Opened>> = TEST_POSTGRES
  ? { 'a PostgreSQL server': openServer }
  : { SQLite: openFreshSqlite, PostgreSQL: openPgliteEmpty }

/** Says the same of a store on SQLite and on PostgreSQL: the tests never learn which it is. */
export function onBothDatabases(store: string, say: (db: OnDatabase) => void): void {
  describe.each(Object.entries(DATABASES))(`${store} on %s`, (_, open) => {
    let opened: Opened
    beforeAll(async () => {
      opened = await open()
    })
    afterEach(() => opened.clear())
    afterAll(() => opened[Symbol.asyncDispose]())
    say(() => opened.db)
  })
}

async function openPgliteEmpty(): Promise<Opened> {
  const db = await openPglite()
  return { db, clear: () => db.clear(), [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}

async function openServer(): Promise<Opened> {
  const { url, ...database } = await testDatabase()
  const db = await openPostgres({ url, listenUrl: undefined, pool: 10 })
  const sql = new SQL(url, { max: 1 })
  return {
    db,
    clear: async () => void (await sql.unsafe(EMPTY_ALL).simple()),
    async [Symbol.asyncDispose]() {
      await sql.close()
      await db[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A new file for each test: opening SQLite costs less than emptying it. */
async function openFreshSqlite(): Promise<Opened> {
  const folder = tempFolder()
  let n = 0
  const next = () => openSqlite(migratedDatabase(folder.path, `${n++}.db`))
  const opened = {
    db: next(),
    async clear() {
      await opened.db[Symbol.asyncDispose]()
      opened.db = next()
    },
    async [Symbol.asyncDispose]() {
      await opened.db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
  return opened
}
