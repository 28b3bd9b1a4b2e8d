import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import type { Change, Topic } from '../change-bus.ts'
import type { OpenDb, Read, Tx } from '../database.ts'
import { postgresFailure } from './errors.ts'
import { createJoinedReads } from './joined-reads.ts'
import type { Pool, Query } from './pool.ts'
import { tried } from './retry.ts'

export type Builders = {
  read: Read
  /** The same builder; better-auth also takes it for one of SQLite. */
  orm: OpenDb['orm']
  /**
   * Runs `work` in the transaction of `query`, and puts into `changed` what it emits. `beforeLock`
   * resolves when a write that shares the transaction may take a lock.
   */
  perform<T>(
    query: Query,
    work: (tx: Tx) => Promise<T>,
    changed: Change[],
    beforeLock?: () => Promise<void>,
  ): Promise<T>
}

/** Creates the query builders of stores, outside of transactions and in them. */
export function createBuilders(pool: Pool): Builders {
  // Statements of a transaction find its connection here, so that queries that were built once
  // (`prepared`) serve every transaction.
  const current = new AsyncLocalStorage<{ query: Query; isOpen: boolean }>()
  const joined = createJoinedReads((text, params) => tried(() => pool.query(text, params)))
  const reading = builder((text, params) => {
    const here = current.getStore()
    // A read inside a transaction uses its connection: waiting for a second one could deadlock.
    if (here?.isOpen) return here.query(text, params)
    // better-auth also writes this way, and its write may have succeeded although the reply was
    // lost.
    return isSelect(text) ? joined(text, params) : pool.query(text, params)
  })
  const writing = builder((text, params) => {
    const here = current.getStore()
    if (!here?.isOpen) throw new Error('a statement of a transaction came outside of it')
    return here.query(text, params)
  })

  return {
    read: asSqlite(reading),
    orm: reading as unknown as OpenDb['orm'],
    async perform(query, work, changed, beforeLock) {
      const here = { query, isOpen: true }
      const tx = transaction(writing, changed, beforeLock)
      try {
        // Awaited here, because `work` may return a statement that only starts when it is awaited.
        return await current.run(here, async () => await work(tx))
      } finally {
        here.isOpen = false
      }
    },
  }
}

function isSelect(text: string): boolean {
  return /^select\b/i.test(text)
}

/** Drizzle's PostgreSQL builder over `query`. */
function builder(query: Query): PgRemoteDatabase {
  return drizzle(async (text, params) => {
    try {
      return { rows: await query(text, params) }
    } catch (error) {
      throw postgresFailure(error)
    }
  })
}

function transaction(
  writing: PgRemoteDatabase,
  changed: Change[],
  beforeLock?: () => Promise<void>,
): Tx {
  const tx = Object.create(asSqlite(writing)) as Tx
  tx.connection = writing
  tx.emit = (topic: Topic, id: string) => void changed.push({ topic, id })
  tx.lock = async (key) => {
    await beforeLock?.()
    await writing.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${LOCKS}))`)
  }
  tx.skipLocked = (query) => {
    if (beforeLock) throw new Error('rows that the same group has locked would not be skipped')
    const locking = query as { for(strength: 'update', config: { skipLocked: true }): typeof query }
    return locking.for('update', { skipLocked: true })
  }
  return tx
}

// Keeps our locks apart from those of other programs on the same database.
const LOCKS = 8_484

/** The one cast: Drizzle's PostgreSQL builder takes `sqliteTable` objects, its types do not say so. */
function asSqlite(pg: object): Read & Omit<Tx, 'emit' | 'lock' | 'skipLocked'> {
  return pg as Read & Omit<Tx, 'emit' | 'lock' | 'skipLocked'>
}
