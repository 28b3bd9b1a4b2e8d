import { PGlite } from '@electric-sql/pglite'
import { getTableName, is, sql } from 'drizzle-orm'
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '../../drizzle/tables.ts'
import { type Change, createChangeBus } from '../../src/platform/db/change-bus.ts'
import type { Db, Read, Tx } from '../../src/platform/db/database.ts'
import { MIGRATIONS } from '../../src/platform/db/postgres/migrations.ts'

export type PgliteDb = Db & AsyncDisposable & { clear(): Promise<void> }

const TABLES = Object.values(tables).filter((value) => is(value, SQLiteTable))

// Truncating so many tables takes twenty times as long as finding most of them empty.
export const EMPTY_ALL = TABLES.map((table) => `delete from ${quoted(getTableName(table))};`).join(
  '',
)

let started: Promise<PGlite> | undefined

/**
 * PostgreSQL in this process, with the very tables of the product, made by its migrations: what the stores would stand on
 * if SQLite were exchanged for PostgreSQL behind several servers. Starting it takes seconds, so the
 * files that one process runs have the same, and each of them leaves it empty.
 */
export async function openPglite(): Promise<PgliteDb> {
  started ??= startPglite()
  const client = await started
  const orm = drizzle(client)
  const changes = createChangeBus()

  const clear = async () => void (await client.exec(EMPTY_ALL))

  return {
    read: asSqlite(orm),
    changes,
    clear,
    async write(work) {
      const changed: Change[] = []
      const value = await orm.transaction((pg) => work(transaction(pg, changed)))
      changes.emit(changed)
      return value
    },
    [Symbol.asyncDispose]: clear,
  }
}

async function startPglite(): Promise<PGlite> {
  const client = await PGlite.create()
  for (const { sql } of MIGRATIONS) await client.exec(sql)
  return client
}

function transaction(pg: Pick<PgliteDatabase, 'execute'>, changed: Change[]): Tx {
  const tx: Tx = Object.create(asSqlite(pg))
  tx.emit = (topic, id) => void changed.push({ topic, id })
  tx.lock = async (key) => {
    await pg.execute(sql`select pg_advisory_xact_lock(hashtext(${key}))`)
  }
  tx.skipLocked = (query) => {
    const locking = query as { for(strength: 'update', config: { skipLocked: true }): typeof query }
    return locking.for('update', { skipLocked: true })
  }
  return tx
}

/** The one cast: Drizzle's PostgreSQL builder takes `sqliteTable` objects, its types do not say so. */
function asSqlite(pg: object): Read & Omit<Tx, 'emit' | 'lock' | 'skipLocked'> {
  return pg as Read & Omit<Tx, 'emit' | 'lock' | 'skipLocked'>
}

function quoted(name: string): string {
  return `"${name}"`
}
