import { afterAll, afterEach, beforeAll, describe } from 'bun:test'
import { join } from 'node:path'
import type { Db } from '../../src/platform/db/database.ts'
import { openSqlite } from '../../src/platform/db/sqlite.ts'
import { openPglite } from '../support/pglite.ts'
import { tempFolder } from '../support/temp-folder.ts'

type Opened = AsyncDisposable & { db: Db; clear(): Promise<void> }

/** Gives the database that the present test runs on, empty. */
export type OnDatabase = () => Db

const DATABASES: Record<string, () => Promise<Opened>> = {
  SQLite: openFreshSqlite,
  PostgreSQL: async () => {
    const db = await openPglite()
    return { db, clear: () => db.clear(), [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
  },
}

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

/** A new file for each test: opening SQLite costs less than emptying it. */
async function openFreshSqlite(): Promise<Opened> {
  const folder = tempFolder()
  let n = 0
  const next = () => openSqlite(join(folder.path, `${n++}.db`))
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
