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
  /** Names this process in the rows it works on; another one for each start. */
  holder: string
}

export type OutboxRules<T extends OutboxTable> = {
  table: T
  /** One service gets this many requests at a time; another's slowness is not its business. */
  laneWidth: number
  /**
   * Where a row has its lane, if it has: what waits for a lane that has enough to do stays in the
   * database.
   */
  lane?: SQLiteColumn
  /** What is on its way when the server stops has this long to arrive; then it is cut. */
  closingMs: number
  /** Resolves when the outcomes that are known are on disk. */
  written?(): Promise<void>
}

/** How long a row stays in the hands of a process that says nothing any more. */
export const CLAIM_MS = 30_000

/** Aborted when the server stops: that is not an outcome, and the next process sends it. */
type Attempt = (signal: AbortSignal) => Promise<void>

/**
 * The sending half of every outbox table: takes what is due, keeps the claims on what it has, runs
 * the attempts service by service, and leaves to the next process what it did not finish. What an
 * attempt is, and what comes of it, is the noun's.
 */
export type Outbox<Row extends { id: string }> = AsyncDisposable & {
  /** Until when a row made or taken now is this process's. */
  claim(now: number): { claimedBy: string; claimedUntil: number }
  /** Claims up to `limit` due rows that no process holds; none when closing. */
  takeDue(limit: number): Promise<Row[]>
  /** Keeps claimed rows for as long as it takes. */
  hold(rows: readonly Row[]): void
  /** Rows whose claim may run out, so that they are found again. */
  letGo(rows: readonly Row[]): void
  /** Attempts a row that is held, and lets go of it; rows of one lane share its width. */
  run(row: Row, lane: string, attempt: Attempt): void
  /** Aborted when the server's end cuts what is on its way. */
  closing: AbortSignal
  /** Resolves when nothing is on its way any more. */
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
    const kept = { ids: [...inHand], until: clock.now() + CLAIM_MS }
    db.write((tx) => extendClaims(tx, table, holder, kept)).catch((error) =>
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
      // Its claim runs out, and it is sent again under the same id.
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
      // Already ours and still queued: the claim ran out before it was renewed.
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

/** When an attempt that failed is made again: `waitMs` later, or never once that is too late. */
export function afterFailure(
  { expiresAt }: { expiresAt: number },
  at: number,
  waitMs: number,
): { state: 'waiting'; nextAt: number } | { state: 'lapsed'; nextAt: undefined } {
  const nextAt = at + waitMs
  if (nextAt >= expiresAt) return { state: 'lapsed', nextAt: undefined }
  return { state: 'waiting', nextAt }
}
