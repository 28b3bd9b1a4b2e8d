import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import type { Change, Topic } from './change-bus.ts'
import { createChangeBus } from './change-bus.ts'
import type { OpenDb, Read, Tx } from './database.ts'
import { migrate } from './migrate.ts'
import { openUnchanged } from './open-unchanged.ts'
import { isBusy } from './storage-failure.ts'
import { createWriteQueue } from './write-queue.ts'

// Another process (a CLI command) may hold the write lock for a moment.
const BUSY_MS = 5_000
const LOOK_AGAIN_MS = 20

/**
 * Opens the database at `path` (created and migrated if necessary): one writer with group commit at
 * synchronous=FULL, and one read-only reader. SQLite's statistics (`analyze`, `pragma optimize`)
 * are never used: without them every statement uses its index, and with those of a small database a
 * purge would scan whole tables for months.
 */
export function openSqlite(path: string): OpenDb {
  const writer = new Database(path, { create: true, strict: true })
  writer.run(`pragma busy_timeout = ${BUSY_MS}`)
  useWal(writer)
  writer.run('pragma synchronous = full')
  writer.run('pragma foreign_keys = on')
  const migrated = migrateOrClose(writer)
  // From here on the queue waits, without blocking the process.
  writer.run('pragma busy_timeout = 0')
  // SQLite moves a savepoint's undo journal to a temporary file beyond 64 KiB, which one question
  // can reach. In memory, a write needs no free file descriptor.
  writer.run('pragma temp_store = memory')

  const reader = new Database(path, { readonly: true, strict: true })
  reader.run(`pragma busy_timeout = ${BUSY_MS}`)

  const changes = createChangeBus()
  const queue = createWriteQueue(writer, changes)
  const onWriter = statementRunner(writer)
  const onReader = statementRunner(reader)
  const writing = drizzle(async (sql, params, method) => onWriter.run(sql, params, method))
  const reading = drizzle(async (sql, params, method) => onReader.run(sql, params, method))
  const orm = drizzle(async (sql, params, method) =>
    isRead(sql)
      ? onReader.run(sql, params, method)
      : queue.push(async () => onWriter.run(sql, params, method)),
  )

  return {
    place: path,
    migrated,
    orm,
    read: reading,
    changes,
    refusals: queue.refusals,
    queued: queue.waiting,
    onCommit: queue.onCommit,
    write: (work) => queue.push((changed) => work(transaction(writing, changed))),
    async [Symbol.asyncDispose]() {
      await queue.close()
      onWriter.finalize()
      onReader.finalize()
      reader.close()
      writer.close()
    },
  }
}

/** The database at `path` for reading: nothing is created, migrated or written. */
export function openReader(path: string): { read: Read } & Disposable {
  const connection = openUnchanged(path)
  const statements = statementRunner(connection)
  return {
    read: drizzle(async (sql, params, method) => statements.run(sql, params, method)),
    [Symbol.dispose]() {
      statements.finalize()
      connection.close()
    },
  }
}

/** If several processes create a database at once, the switch may fail at once, without waiting. */
function useWal(writer: Database): void {
  const end = performance.now() + BUSY_MS
  for (;;) {
    try {
      writer.run('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error
      Bun.sleepSync(LOOK_AGAIN_MS)
    }
  }
}

function migrateOrClose(writer: Database): string[] {
  try {
    return migrate(writer)
  } catch (error) {
    writer.close()
    throw error
  }
}

function transaction(writing: ReturnType<typeof drizzle>, changed: Change[]): Tx {
  const tx = Object.create(writing) as Tx
  tx.connection = writing
  tx.emit = (topic: Topic, id: string) => void changed.push({ topic, id })
  tx.lock = async () => {}
  tx.skipLocked = (query) => query
  return tx
}

type Method = 'run' | 'all' | 'get' | 'values'

// Each distinct SQL text is prepared once for each connection; lists of different lengths make new
// texts.
const STATEMENTS_MAX = 500

function statementRunner(connection: Database) {
  const statements = new Map<string, Statement>()

  function prepared(sql: string): Statement {
    const existing = statements.get(sql)
    if (existing) return existing
    if (statements.size >= STATEMENTS_MAX) forgetOldest()
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  function forgetOldest() {
    const [oldest] = statements
    if (!oldest) return
    oldest[1].finalize()
    statements.delete(oldest[0])
  }

  return {
    run(sql: string, params: unknown[], method: Method): { rows: unknown[] } {
      const rows = prepared(sql).values(...(params as SQLQueryBindings[]))
      if (method !== 'get') return { rows }
      return { rows: rows[0] as unknown[] }
    },
    finalize() {
      for (const statement of statements.values()) statement.finalize()
      statements.clear()
    },
  }
}

function isRead(sql: string): boolean {
  return sql.startsWith('select') || sql.startsWith('SELECT')
}
