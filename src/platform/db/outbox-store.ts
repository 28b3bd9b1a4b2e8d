import {
  and,
  asc,
  count as countOf,
  eq,
  inArray,
  lte,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from './columns.ts'
import type { Read, Tx } from './database.ts'

/**
 * The columns of every outbox row, so that one sender serves every outbox: `waiting` rows are due
 * at `next_at` and worthless after `expires_at`; every other state is final.
 */
export const outboxColumns = <State extends string>() => ({
  state: text<State>('state').notNull(),
  attempts: count('attempts').notNull(),
  nextAt: instant('next_at').notNull(),
  /** After this moment it is no longer worth sending. */
  expiresAt: instant('expires_at').notNull(),
  /** The process that works on it, and until when it holds the row. */
  claimedBy: text('claimed_by'),
  claimedUntil: instant('claimed_until').notNull(),
  createdAt: instant('created_at').notNull(),
  endedAt: instant('ended_at'),
  /** HTTP status of the last attempt; 0 if there was no response. */
  lastStatus: count('last_status'),
  lastError: text('last_error'),
})

/** The stored progress of a row; `State` contains `waiting` and the final states. */
export type OutboxFields<State extends string> = {
  state: State
  /** Attempts that were made. */
  attempts: number
  nextAt: number
  /** No attempt is made after this moment. */
  expiresAt: number
  claimedBy: string | null
  claimedUntil: number
  createdAt: number
  endedAt: number | null
  /** HTTP status of the last attempt; 0 if there was no response. */
  lastStatus: number | null
  lastError: string | null
}

/** A row that is due at once and held by no process. */
export function unsent(now: number, expiresAt: number): OutboxFields<'waiting'> {
  return {
    state: 'waiting',
    attempts: 0,
    nextAt: now,
    expiresAt,
    claimedBy: null,
    claimedUntil: 0,
    createdAt: now,
    endedAt: null,
    lastStatus: null,
    lastError: null,
  }
}

type Columns = 'id' | keyof ReturnType<typeof outboxColumns>

/** A table with the columns of an outbox. */
export type OutboxTable = SQLiteTable & Record<Columns, SQLiteColumn>

/** An outbox with further columns. */
export type OutboxTableWith<Names extends string> = OutboxTable & Record<Names, SQLiteColumn>

export type OutboxRow<T extends OutboxTable> = T['$inferSelect']

// Ids go to the database in batches, below every database's limit on parameters.
const IDS_PIECE = 500

type Claim = { by: string; now: number; until: number }

/** Rows of `column` that are to stay where they are. */
type PassOver = { column: SQLiteColumn; values: readonly string[] }

/** Claims up to `limit` due rows that no process holds, the longest due first. */
export async function claimDue<T extends OutboxTable>(
  tx: Tx,
  table: T,
  claim: Claim,
  { limit, passOver }: { limit: number; passOver?: PassOver | undefined },
): Promise<Array<OutboxRow<T>>> {
  const others = passOver?.values.length
    ? notInArray(passOver.column, [...passOver.values])
    : undefined
  const due = await tx.skipLocked(
    tx
      .select({ id: table.id })
      .from(table as SQLiteTable)
      .where(and(isFree(table, claim.now), others))
      .orderBy(asc(table.nextAt), asc(table.id))
      .limit(limit),
  )
  const ids = due.map((row) => row.id as string)
  const jobs: Array<OutboxRow<T>> = []
  for (const piece of pieces(ids)) {
    const rows = await tx
      .update(table as OutboxTable)
      .set({ claimedBy: claim.by, claimedUntil: claim.until })
      .where(and(inArray(table.id, piece), isFree(table, claim.now)))
      .returning()
    jobs.push(...(rows as Array<OutboxRow<T>>))
  }
  return jobs
}

/** Returns true if a row is due and not claimed, so that a check without work writes nothing. */
export async function isDue(read: Read, table: OutboxTable, now: number): Promise<boolean> {
  const rows = await read
    .select({ id: table.id })
    .from(table as SQLiteTable)
    .where(isFree(table, now))
    .limit(1)
  return rows.length > 0
}

export type Backlog = { waiting: number; firstDueAt: number | undefined }

/**
 * How many rows have not ended, and when the one that is most overdue was due; from the index
 * alone.
 */
export async function readBacklog(read: Read, table: OutboxTable): Promise<Backlog> {
  const isWaiting = eq(table.state, 'waiting')
  const [counted] = await read
    .select({ waiting: countOf() })
    .from(table as SQLiteTable)
    .where(isWaiting)
  const [first] = await read
    .select({ nextAt: table.nextAt })
    .from(table as SQLiteTable)
    .where(isWaiting)
    .orderBy(asc(table.nextAt))
    .limit(1)
  return { waiting: counted?.waiting ?? 0, firstDueAt: first?.nextAt as number | undefined }
}

function isFree(table: OutboxTable, now: number): SQL | undefined {
  return and(eq(table.state, 'waiting'), lte(table.nextAt, now), lte(table.claimedUntil, now))
}

/** Extends the claims on these rows, if `by` still has them. */
export async function extendClaims(
  tx: Tx,
  table: OutboxTable,
  by: string,
  { ids, until }: { ids: readonly string[]; until: number },
): Promise<void> {
  for (const piece of pieces(ids)) {
    await tx
      .update(table)
      .set({ claimedUntil: until })
      .where(and(inArray(table.id, piece), isClaimedBy(table, by)))
  }
}

/** Releases everything that `by` has claimed, so that another process can take it at once. */
export async function releaseClaims(tx: Tx, table: OutboxTable, by: string): Promise<void> {
  await tx.update(table).set(FREE).where(isClaimedBy(table, by))
}

/** The result of one attempt for several rows. */
export type Settled = {
  ids: readonly string[]
  state: string
  status: number
  error: string | undefined
  at: number
  /** When the next attempt is due; only for state `waiting`. */
  nextAt?: number | undefined
}

/**
 * Records an attempt; rows that wait again are free for any process once they are due. With `by`
 * only rows that this process still has.
 */
export async function settleRow(
  tx: Tx,
  table: OutboxTable,
  settled: Settled,
  by?: string,
): Promise<void> {
  const { ids, state, status, error, at, nextAt } = settled
  const ending = state === 'waiting' ? { nextAt: nextAt ?? at } : { endedAt: at }
  const attempts = sql<number>`${table.attempts} + 1`.mapWith(Number)
  const what = { state, attempts, lastStatus: status, lastError: error ?? null, ...ending }
  await change(tx, table, { ids, by }, what)
}

/** Ends rows without an attempt, because they are not worth one any more. */
export async function lapse(
  tx: Tx,
  table: OutboxTable,
  { ids, at, reason }: { ids: readonly string[]; at: number; reason: string },
  by?: string,
): Promise<void> {
  await change(tx, table, { ids, by }, { state: 'lapsed', endedAt: at, lastError: reason })
}

async function change(
  tx: Tx,
  table: OutboxTable,
  { ids, by }: { ids: readonly string[]; by: string | undefined },
  what: Record<string, unknown>,
) {
  const condition = by === undefined ? eq(table.state, 'waiting') : isClaimedBy(table, by)
  for (const piece of pieces(ids)) {
    await tx
      .update(table)
      .set({ ...what, ...FREE })
      .where(and(inArray(table.id, piece), condition))
  }
}

const FREE = { claimedBy: null, claimedUntil: 0 }

function isClaimedBy(table: OutboxTable, by: string): SQL | undefined {
  return and(eq(table.state, 'waiting'), eq(table.claimedBy, by))
}

function* pieces<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += IDS_PIECE) yield list.slice(at, at + IDS_PIECE)
}
