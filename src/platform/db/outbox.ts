import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Clock } from '../clock.ts'
import { createKeyedQueue } from '../keyed-queue.ts'
import type { Log } from '../log.ts'
import type { Db } from './database.ts'
import {
  claimDue,
  extendClaims,
  isDue,
  type OutboxRow,
  type OutboxTable,
  releaseClaims,
} from './outbox-store.ts'

export type OutboxDeps = {
  db: Db
  clock: Clock
  log: Log
  /** Identifies this process in the rows it works on; different for each start. */
  holder: string
}

export type OutboxRules<T extends OutboxTable> = {
  table: T
  /** One service gets this many requests at a time, so that a slow one does not delay others. */
  laneWidth: number
  /**
   * The column with the lane of a row, if rows have lanes: rows of a lane that is busy stay in the
   * database.
   */
  lane?: SQLiteColumn
  /** When the server stops, requests under way have this long to end; then they are cut off. */
  closingMs: number
  /** Resolves when all known outcomes are on disk. */
  written?(): Promise<void>
}

/** How long a process that has gone silent keeps its rows. */
export const CLAIM_MS = 30_000

/** Aborted when the server stops. That is not an outcome, and the next process sends the row. */
type Attempt = (signal: AbortSignal) => Promise<void>

/**
 * The sending half of every outbox: claims due rows, renews its claims, runs the attempts, each
 * service in a lane of its own, and leaves unfinished rows to the next process. The caller defines
 * what an attempt is and what its result means.
 */
export type Outbox<Row extends { id: string }> = AsyncDisposable & {
  /** Until when a row that is created or claimed now belongs to this process. */
  claim(now: number): { claimedBy: string; claimedUntil: number }
  /** Claims up to `limit` due rows that no process holds; none while closing. */
  takeDue(limit: number): Promise<Row[]>
  /** Renews the claims on rows for as long as the work takes. */
  hold(rows: readonly Row[]): void
  /** Rows whose claim may run out, so that they can be found again. */
  letGo(rows: readonly Row[]): void
  /** Runs the attempt of a claimed row, then releases it; rows of one lane share its width. */
  run(row: Row, lane: string, attempt: Attempt): void
  /** Aborted when the stop of the server cuts off requests under way. */
  closing: AbortSignal
  /** Resolves when no request is under way. */
  idle(): Promise<void>
}

export function createOutbox<T extends OutboxTable>(
  { db, clock, log, holder }: OutboxDeps,
  rules: OutboxRules<T>,
): Outbox<OutboxRow<T> & { id: string }> {
  type Row = OutboxRow<T> & { id: string }
  const { table, laneWidth, lane: column } = rules
  const lanes = createKeyedQueue(laneWidth)
  const cut = new AbortController()
  const inHand = new Set<string>()
  let closing = false
  let stopRenewing: (() => void) | undefined

  function renewClaims() {
    stopRenewing = undefined
    if (inHand.size === 0) return
    keepClaims()
    const claims = { ids: [...inHand], until: clock.now() + CLAIM_MS }
    db.write((tx) => extendClaims(tx, table, holder, claims)).catch((error) =>
      log.warn('the claims on what is being sent could not be renewed', { error }),
    )
  }

  function keepClaims() {
    stopRenewing ??= clock.after(CLAIM_MS / 2, renewClaims)
  }

  async function runOne({ id }: Row, attempt: Attempt) {
    try {
      if (!cut.signal.aborted) await attempt(cut.signal)
    } catch (error) {
      // The claim of the row runs out, and it is sent again under the same id.
      log.error('an attempt to send could not be finished', { error, id })
    } finally {
      inHand.delete(id)
    }
  }

  return {
    claim: (now) => ({ claimedBy: holder, claimedUntil: now + CLAIM_MS }),
    async takeDue(limit) {
      const now = clock.now()
      if (closing || !(await isDue(db.read, table, now))) return []
      const claim = { by: holder, now, until: now + CLAIM_MS }
      const passOver = column && { column, values: lanes.full() }
      const rows = await db.write((tx) => claimDue(tx, table, claim, { limit, passOver }))
      // It is queued here already, because its claim ran out before it was renewed.
      return (rows as Row[]).filter(({ id }) => !inHand.has(id))
    },
    hold(rows) {
      for (const { id } of rows) inHand.add(id)
      if (rows.length > 0) keepClaims()
    },
    letGo(rows) {
      for (const { id } of rows) inHand.delete(id)
    },
    run(row, lane, attempt) {
      lanes.run(lane, () => runOne(row, attempt))
    },
    closing: cut.signal,
    idle: () => lanes.idle(),
    async [Symbol.asyncDispose]() {
      closing = true
      stopRenewing?.()
      const stopWaiting = clock.after(rules.closingMs, () => cut.abort())
      await lanes.idle()
      stopWaiting()
      cut.abort()
      await rules.written?.()
      await db.write((tx) => releaseClaims(tx, table, holder)).catch(() => {})
    },
  }
}

/** When a failed attempt is repeated: `waitMs` later, or never if that is too late. */
export function afterFailure(
  { expiresAt }: { expiresAt: number },
  at: number,
  waitMs: number,
): { state: 'waiting'; nextAt: number } | { state: 'lapsed'; nextAt: undefined } {
  const nextAt = at + waitMs
  if (nextAt >= expiresAt) return { state: 'lapsed', nextAt: undefined }
  return { state: 'waiting', nextAt }
}
