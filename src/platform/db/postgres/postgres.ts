import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import { drizzle, type PgRemoteDatabase } from 'drizzle-orm/pg-proxy'
import { Failure } from '../../failure.ts'
import type { Change, EmittingBus, Topic } from '../change-bus.ts'
import type { OpenDb, Read, Tx } from '../database.ts'
import { storageFailure } from '../storage-failure.ts'
import type { Committed, Refusals } from '../write-queue.ts'
import { isCollision, isLost, OutcomeUnknown, postgresFailure, wasAbandoned } from './errors.ts'
import type { Pool, Query } from './pool.ts'

// When transactions collide, one gets through at each try. When a server restarts, every connection
// of the pool ends, so the next ones that are tried may be gone, too.
const TRIES_MAX = 8
// Connections that time out take seconds each, and nobody should wait for several of them.
const LOST_MS_MAX = 2_000
const PAUSE_MS = 10

export type Parts = {
  pool: Pool
  changes: EmittingBus
  /** Tells the other processes; listeners in this one already know. */
  announce(changes: readonly Change[]): void
}

/** PostgreSQL as the stores see it, without opening and closing. */
export type PostgresView = Omit<OpenDb, 'place' | 'migrated' | typeof Symbol.asyncDispose>

export function createPostgresDb({ pool, changes, announce }: Parts): PostgresView {
  // Statements of a transaction find its connection here, so that queries that were built once
  // (`prepared`) serve every transaction.
  const current = new AsyncLocalStorage<{ query: Query; isOpen: boolean }>()
  const reading = builder((text, params) => {
    const here = current.getStore()
    // A read inside a transaction uses its connection: waiting for a second one could deadlock.
    if (here?.isOpen) return here.query(text, params)
    // better-auth also writes this way, and its write may have succeeded although the reply was
    // lost.
    return isSelect(text) ? tried(() => pool.query(text, params)) : pool.query(text, params)
  })
  const writing = builder((text, params) => {
    const here = current.getStore()
    if (!here?.isOpen) throw new Error('a statement of a transaction came outside of it')
    return here.query(text, params)
  })
  let refusals: Refusals = { count: 0, latest: undefined }
  let committed: Committed = () => {}

  function tell(changed: readonly Change[]) {
    if (changed.length === 0) return
    changes.emit(changed)
    announce(changed)
  }

  /** The error that the caller gets. */
  function shown(error: unknown): unknown {
    const failure = storageFailure(postgresFailure(error))
    if (failure instanceof Failure && failure.code === 'unavailable') {
      refusals = { count: refusals.count + 1, latest: failure }
    }
    return failure
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const changed: Change[] = []
    const began = performance.now()
    try {
      const tx = transaction(writing, changed)
      const value = await pool.transaction(async (query) => {
        const here = { query, isOpen: true }
        // Awaited here, because `work` may return a statement that only starts when it is awaited.
        const done = current.run(here, async () => await work(tx))
        return await done.finally(() => {
          here.isOpen = false
        })
      })
      committed(performance.now() - began, 1)
      tell(changed)
      return value
    } catch (error) {
      // The changes may be stored; listeners that are told will look.
      if (error instanceof OutcomeUnknown) tell(changed)
      throw error
    }
  }

  return {
    read: asSqlite(reading),
    // The same builder; better-auth also takes it for one of SQLite.
    orm: reading as unknown as OpenDb['orm'],
    changes,
    async write(work) {
      try {
        return await tried(() => attempt(work))
      } catch (error) {
        throw shown(error)
      }
    },
    refusals: () => refusals,
    queued: pool.busy,
    onCommit(listener) {
      committed = listener
    },
  }
}

/**
 * Tries again if others were in the way, this process stood still, or the connection was gone.
 */
async function tried<T>(attempt: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= TRIES_MAX || !isWorthATry(error, performance.now() - began)) throw error
      await Bun.sleep(Math.random() * PAUSE_MS * tries)
    }
  }
}

function isWorthATry(error: unknown, elapsedMs: number): boolean {
  if (error instanceof OutcomeUnknown) return false
  if (isCollision(error) || wasAbandoned(error)) return true
  return isLost(error) && elapsedMs < LOST_MS_MAX
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

function transaction(writing: PgRemoteDatabase, changed: Change[]): Tx {
  const tx = Object.create(asSqlite(writing)) as Tx
  tx.connection = writing
  tx.emit = (topic: Topic, id: string) => void changed.push({ topic, id })
  tx.lock = async (key) => {
    await writing.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${LOCKS}))`)
  }
  tx.skipLocked = (query) => {
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
