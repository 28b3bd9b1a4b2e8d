import { count, instant, text } from './columns.ts'

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
