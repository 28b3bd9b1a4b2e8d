import { PGlite } from '@electric-sql/pglite'
import { getTableName, is, sql } from 'drizzle-orm'
import { drizzle, type PgliteDatabase } from 'drizzle-orm/pglite'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '../../drizzle/tables.ts'
import { type Change, createChangeBus } from '../../src/platform/db/change-bus.ts'
import type { Db, Read, Tx } from '../../src/platform/db/database.ts'

export type PgliteDb = Db & AsyncDisposable & { clear(): Promise<void> }

const TABLES = Object.values(tables).filter((value) => is(value, SQLiteTable))

let started: Promise<PGlite> | undefined

/**
 * PostgreSQL in this process, with the very tables of the product: what the stores would stand on
 * if SQLite were exchanged for PostgreSQL behind several servers. Starting it takes seconds, so the
 * files that one process runs have the same, and each of them leaves it empty.
 */
export async function openPglite(): Promise<PgliteDb> {
  started ??= startPglite()
  const client = await started
  const orm = drizzle(client)
  const changes = createChangeBus()

  const clear = async () => {
    // Truncating so many tables takes twenty times as long as finding most of them empty.
    await client.exec(TABLES.map((table) => `delete from ${quoted(getTableName(table))};`).join(''))
  }

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
  await client.exec(TABLES.map(createTable).join('\n'))
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

// Ordering by text must be bytewise, as it is in SQLite.
const PG_TYPES: Record<string, string> = {
  text: 'text collate "C"',
  integer: 'bigint',
  blob: 'bytea',
}

function createTable(table: SQLiteTable): string {
  const { name, columns, indexes, primaryKeys } = getTableConfig(table)
  const lines = columns.map((column) => {
    const type = PG_TYPES[column.getSQLType()]
    if (!type) throw new Error(`${name}.${column.name} is a ${column.getSQLType()}`)
    return [
      quoted(column.name),
      type,
      column.primary ? 'primary key' : '',
      column.notNull ? 'not null' : '',
      column.isUnique ? 'unique' : '',
    ].join(' ')
  })
  for (const key of primaryKeys) lines.push(`primary key (${key.columns.map(columnName)})`)
  const created = [`create table ${quoted(name)} (${lines.join(', ')});`]
  for (const { config } of indexes) {
    const kind = config.unique ? 'unique index' : 'index'
    created.push(
      `create ${kind} ${quoted(config.name)} on ${quoted(name)} (${config.columns.map(columnName)});`,
    )
  }
  return created.join('\n')
}

function columnName(column: unknown): string {
  return quoted((column as { name: string }).name)
}

function quoted(name: string): string {
  return `"${name}"`
}
