import { type ReservedSQL, SQL } from 'bun'
import { Failure } from '../../failure.ts'
import { together } from '../together.ts'
import { isLost, isReadOnly, OutcomeUnknown, tooBusy, tooSlow } from './errors.ts'

/**
 * Runs one statement; returns its rows as arrays, 64-bit numbers as numbers. Throws as the driver
 * does.
 */
export type Query = (sql: string, params: readonly unknown[]) => Promise<unknown[][]>

/** Connections to one PostgreSQL server; every operation ends within a deadline. */
export type Pool = {
  query: Query
  /**
   * Runs `work` between `begin` and `commit` on a connection of its own; rolls back if it throws.
   * Throws `unavailable` if the outcome of the commit is unknown. With `lockMs`, a statement that
   * waits longer than that for others fails.
   */
  transaction<T>(work: (query: Query) => Promise<T>, lockMs?: number): Promise<T>
  /** Steps under way, and those that wait for a connection. */
  busy(): number
  close(): Promise<void>
}

export type PoolOptions = {
  url: string
  /** The most connections. */
  size: number
  /**
   * True if a transaction pooler is in between: it keeps neither session parameters nor statements
   * that were prepared on another connection.
   */
  isPooled: boolean
  /** Milliseconds for each step: getting a connection, a statement, a commit. */
  deadlineMs?: number
}

const DEADLINE_MS = 10_000
// The server gives up a statement before this process gives up the server.
const SERVER_EARLIER_MS = 1_000
// Otherwise a process that stops or is cut off in the middle of a transaction would hold its locks
// for ever, and others would wait for them as long as for any statement. A process that only stood
// still tries again.
const ABANDONED_MS = 3_000
const CONNECT_SECONDS = 5
// Servers, and pools in between, drop idle connections silently.
const IDLE_SECONDS = 300

export function openPool(options: PoolOptions): Pool {
  const { deadlineMs = DEADLINE_MS, isPooled } = options
  const limits = {
    statement_timeout: Math.max(1, deadlineMs - SERVER_EARLIER_MS),
    idle_in_transaction_session_timeout: ABANDONED_MS,
  }
  const connections = createConnections(() => connect(options, limits), deadlineMs)
  const { within } = connections

  /** Resolves when statements may follow; `begun` resolves when the server has confirmed. */
  async function begin(on: SQL, connection: ReservedSQL, lockMs?: number) {
    const locking = lockMs === undefined ? {} : { lock_timeout: lockMs }
    if (isPooled) {
      const all = setLocally({ ...limits, ...locking })
      const several = `begin isolation level read committed; ${all}`
      return { begun: Promise.resolve(await within(on, connection.unsafe(several).simple())) }
    }
    // The first statements are sent with it, in one round trip. It is a template, because the
    // driver sends texts without parameters as simple queries, which later statements have to wait
    // for.
    const beginning = within(on, connection`begin isolation level read committed`)
    if (lockMs === undefined) return { begun: beginning }
    const limited = within(on, connection`select set_config('lock_timeout', ${`${lockMs}`}, true)`)
    return { begun: together(beginning, limited) }
  }

  async function commit(on: SQL, connection: ReservedSQL) {
    const done = await within(on, connection.unsafe('commit').simple()).catch((error) => {
      throw isLost(error) || error instanceof Failure ? new OutcomeUnknown(error) : error
    })
    // After a failed statement PostgreSQL answers a commit with a rollback and no error.
    if (done.command !== 'COMMIT') throw new Error('a failed transaction was to be committed')
  }

  async function undo(on: SQL, connection: ReservedSQL) {
    try {
      await within(on, connection.unsafe('rollback').simple())
      await connection.release()
    } catch {
      await connection.close({ timeout: 0 }).catch(() => {})
    }
  }

  return {
    async query(text, params) {
      const on = connections.current()
      return plain(await within(on, on.unsafe(text, [...params]).values()))
    },
    async transaction(work, lockMs) {
      const on = connections.current()
      const connection = await connections.reserve(on)
      let isOpen = true
      try {
        const { begun: beginning } = await begin(on, connection, lockMs)
        const working = work(async (text, params) =>
          plain(await within(on, connection.unsafe(text, [...params]).values())),
        )
        // If the server hangs, the error of `begin` says more than those of the statements after
        // it.
        const [, value] = await together(beginning, working)
        isOpen = false
        await commit(on, connection)
        return value
      } finally {
        if (isOpen) await undo(on, connection)
        else await connection.release()
      }
    },
    busy: connections.busy,
    close: connections.close,
  }
}

/** The driver's connections; all are replaced by new ones when the server stops answering. */
function createConnections(make: () => SQL, deadlineMs: number) {
  let sql = make()
  let isClosed = false
  let busy = 0

  /** A server that is frozen or cut off keeps its connections busy for many minutes. */
  function leave(stuck: SQL) {
    if (stuck !== sql || isClosed) return
    sql = make()
    stuck.close({ timeout: 0 }).catch(() => {})
  }

  return {
    current: () => sql,
    busy: () => busy,
    /** Resolves to the result of `query`; throws `unavailable` after the deadline. */
    within<T>(on: SQL, query: SQL.Query<T>): Promise<T> {
      busy++
      // One promise instead of those of a race, because there are many thousand statements a
      // second.
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const isStuck = query.active
          if (isStuck) leave(on)
          else query.cancel()
          over(() => reject(isStuck ? tooSlow(deadlineMs) : tooBusy(deadlineMs)))
        }, deadlineMs)
        let isOver = false
        const over = (end: () => void) => {
          if (isOver) return
          isOver = true
          busy--
          clearTimeout(timer)
          end()
        }
        const failed = (error: unknown) => {
          // The server became a replica, so every other connection to it would fail in the same
          // way.
          if (isReadOnly(error)) leave(on)
          over(() => reject(error))
        }
        query.then((value) => over(() => resolve(value)), failed)
      })
    },
    async reserve(on: SQL): Promise<ReservedSQL> {
      busy++
      try {
        return await on.reserve({ signal: AbortSignal.timeout(deadlineMs) })
      } catch (error) {
        throw (error as Error).name === 'TimeoutError' ? tooBusy(deadlineMs) : error
      } finally {
        busy--
      }
    },
    async close() {
      isClosed = true
      await sql.close({ timeout: deadlineMs / 1_000 })
    },
  }
}

function connect({ url, size, isPooled }: PoolOptions, limits: Record<string, number>): SQL {
  return new SQL(url, {
    ...databaseOf(url),
    max: size,
    prepare: !isPooled,
    connectionTimeout: CONNECT_SECONDS,
    idleTimeout: IDLE_SECONDS,
    ...(!isPooled && {
      connection: { application_name: 'beckon', ...limits, ...GONE_IN_A_MINUTE },
    }),
  })
}

/**
 * Makes the server end, within a minute, the connection of a machine that went away silently; by
 * default the server would keep it for two hours.
 */
export const GONE_IN_A_MINUTE = {
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 60_000,
}

/**
 * Repeated, because the driver would prefer the environment's `PGDATABASE` to the one in the
 * address.
 */
export function databaseOf(url: string): { database: string } | undefined {
  const database = decodeURIComponent(new URL(url).pathname.slice(1))
  return database === '' ? undefined : { database }
}

function setLocally(limits: Record<string, number>): string {
  const each = Object.entries(limits).map(([name, value]) => `set local ${name} = ${value}`)
  return each.join('; ')
}

// Types whose values the driver gives as texts: int8 and numeric (a sum of int8).
const NUMBERS = new Set([20, 1_700])

type Result = unknown[][] & { columns: Array<{ type: number }> | null }

/** The rows with 64-bit numbers, which the driver gives as texts, as numbers. */
export function plain(result: Result): unknown[][] {
  const numbers: number[] = []
  for (const [i, { type }] of (result.columns ?? []).entries())
    if (NUMBERS.has(type)) numbers.push(i)
  if (numbers.length > 0) {
    for (const row of result) {
      for (const i of numbers) if (row[i] !== null) row[i] = Number(row[i])
    }
  }
  return result
}
