import { and, asc, desc, eq, inArray, lt, lte, notInArray, sql } from 'drizzle-orm'
import type { Read, Tx } from '../db/database.ts'
import type { CallbackId, WorkspaceId } from '../kernel/ids.ts'
import type { Attempt, Callback, CallbackState } from './callback.ts'
import { callbackAttempts, callbacks } from './table.ts'

/** Queues a callback; a question has one, so a second does nothing. */
export async function insertCallback(tx: Tx, callback: Callback): Promise<void> {
  await tx.insert(callbacks).values(callback).onConflictDoNothing()
}

export type Claim = { by: string; now: number; until: number }

/** Takes up to `limit` that are due, free, and not for one of `busy`; the longest due first. */
export async function claimCallbacks(
  tx: Tx,
  claim: Claim,
  { limit, busy }: { limit: number; busy: readonly string[] },
): Promise<Callback[]> {
  const free = and(
    eq(callbacks.state, 'waiting'),
    lte(callbacks.nextAt, claim.now),
    lte(callbacks.claimedUntil, claim.now),
  )
  const due = await tx.skipLocked(
    tx
      .select({ id: callbacks.id })
      .from(callbacks)
      .where(busy.length > 0 ? and(free, notInArray(callbacks.origin, [...busy])) : free)
      .orderBy(asc(callbacks.nextAt), asc(callbacks.id))
      .limit(limit),
  )
  if (due.length === 0) return []
  const ids = due.map((row) => row.id)
  return tx
    .update(callbacks)
    .set({ claimedBy: claim.by, claimedUntil: claim.until })
    .where(and(inArray(callbacks.id, ids), free))
    .returning()
}

/** Whether anything is due and free, so that an idle look writes nothing. */
export async function isCallbackDue(read: Read, now: number): Promise<boolean> {
  const rows = await read
    .select({ id: callbacks.id })
    .from(callbacks)
    .where(
      and(
        eq(callbacks.state, 'waiting'),
        lte(callbacks.nextAt, now),
        lte(callbacks.claimedUntil, now),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Keeps what is in this process's hands for a while longer. */
export async function extendClaims(
  tx: Tx,
  by: string,
  ids: readonly CallbackId[],
  until: number,
): Promise<void> {
  await tx
    .update(callbacks)
    .set({ claimedUntil: until })
    .where(and(inArray(callbacks.id, [...ids]), eq(callbacks.claimedBy, by)))
}

/** Lets go of everything in this process's hands, for the next one to take at once. */
export async function releaseClaims(tx: Tx, by: string): Promise<void> {
  await tx
    .update(callbacks)
    .set({ claimedBy: null, claimedUntil: 0 })
    .where(and(eq(callbacks.state, 'waiting'), eq(callbacks.claimedBy, by)))
}

/** What one attempt made of a callback. */
export type Settled = {
  attempt: Attempt
  state: CallbackState
  /** When the next attempt is due; for state `waiting` alone. */
  nextAt: number | undefined
}

/** Writes down an attempt of `by`, and frees the row for whoever comes when it is due. */
export async function settleCallback(tx: Tx, by: string, settled: Settled): Promise<void> {
  const { attempt, state, nextAt } = settled
  await tx.insert(callbackAttempts).values(attempt)
  await tx
    .update(callbacks)
    .set({
      state,
      attempts: sql<number>`${callbacks.attempts} + 1`.mapWith(Number),
      lastStatus: attempt.status,
      lastError: attempt.error,
      claimedBy: null,
      claimedUntil: 0,
      ...(state === 'waiting' ? { nextAt: nextAt ?? attempt.at } : { endedAt: attempt.at }),
    })
    .where(
      and(
        eq(callbacks.id, attempt.callbackId),
        eq(callbacks.state, 'waiting'),
        eq(callbacks.claimedBy, by),
      ),
    )
}

/** Ends a callback whose day was over before anybody could try it. */
export async function lapseCallback(
  tx: Tx,
  by: string,
  { id, at, reason }: { id: CallbackId; at: number; reason: string },
): Promise<void> {
  await tx
    .update(callbacks)
    .set({ state: 'lapsed', endedAt: at, lastError: reason, claimedBy: null, claimedUntil: 0 })
    .where(and(eq(callbacks.id, id), eq(callbacks.state, 'waiting'), eq(callbacks.claimedBy, by)))
}

/** Makes a callback due now with a new life; undefined while an attempt is under way. */
export async function reopenCallback(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: CallbackId,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<Callback | undefined> {
  const rows = await tx
    .update(callbacks)
    .set({ state: 'waiting', attempts: 0, nextAt: now, expiresAt, endedAt: null, claimedBy: null })
    .where(
      and(
        eq(callbacks.id, id),
        eq(callbacks.workspaceId, workspaceId),
        lte(callbacks.claimedUntil, now),
      ),
    )
    .returning()
  return rows[0]
}

export async function findCallback(
  read: Read,
  workspaceId: WorkspaceId,
  id: CallbackId,
): Promise<Callback | undefined> {
  const rows = await read
    .select()
    .from(callbacks)
    .where(and(eq(callbacks.id, id), eq(callbacks.workspaceId, workspaceId)))
  return rows[0]
}

/** Callbacks of a workspace, newest first; those with an id below `before` when given. */
export async function listCallbacks(
  read: Read,
  workspaceId: WorkspaceId,
  page: { before: CallbackId | undefined; limit: number },
): Promise<Callback[]> {
  return read
    .select()
    .from(callbacks)
    .where(
      and(eq(callbacks.workspaceId, workspaceId), page.before && lt(callbacks.id, page.before)),
    )
    .orderBy(desc(callbacks.id))
    .limit(page.limit)
}

/** Every attempt of these callbacks, the first made first. */
export async function listAttempts(read: Read, ids: readonly CallbackId[]): Promise<Attempt[]> {
  if (ids.length === 0) return []
  return read
    .select()
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, [...ids]))
    .orderBy(asc(callbackAttempts.at), asc(callbackAttempts.id))
}
