import { and, asc, desc, eq, inArray, lt, lte } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { type Backlog, lapse, readBacklog, settleRow } from '../../../platform/db/outbox-store.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import type { Attempt, Callback, CallbackId, CallbackState } from './callback.ts'
import { callbackAttempts, callbacks } from './table.ts'

/** Queues a callback. */
export async function insertCallback(tx: Tx, callback: Callback): Promise<void> {
  await tx.insert(callbacks).values(callback)
}

/** The result of one attempt. */
export type SettledCallback = {
  attempt: Attempt
  state: CallbackState
  /** When the next attempt is due; only for state `waiting`. */
  nextAt: number | undefined
}

/** Records an attempt of `by`, and frees the row for any process once it is due again. */
export async function settleCallback(tx: Tx, by: string, settled: SettledCallback): Promise<void> {
  const { attempt, state, nextAt } = settled
  const { callbackId, at, status, error } = attempt
  await tx.insert(callbackAttempts).values(attempt)
  const settlement = { ids: [callbackId], state, status, error: error ?? undefined, at, nextAt }
  await settleRow(tx, callbacks, settlement, by)
}

/** Ends a callback whose day was over before it could be tried. */
export async function lapseCallback(
  tx: Tx,
  by: string,
  { id, at, reason }: { id: CallbackId; at: number; reason: string },
): Promise<void> {
  await lapse(tx, callbacks, { ids: [id], at, reason }, by)
}

/** Makes a callback due now for another day; undefined while an attempt is under way. */
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

/** The callbacks of these questions. */
export async function callbacksOf(read: Read, ids: readonly QuestionId[]): Promise<Callback[]> {
  if (ids.length === 0) return []
  return read
    .select()
    .from(callbacks)
    .where(inArray(callbacks.questionId, [...ids]))
}

/** Every attempt of these callbacks, in order. */
export async function listAttempts(read: Read, ids: readonly CallbackId[]): Promise<Attempt[]> {
  if (ids.length === 0) return []
  return read
    .select()
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, [...ids]))
    .orderBy(asc(callbackAttempts.at), asc(callbackAttempts.id))
}

/** Callbacks that are still to be sent. */
export async function readCallbackBacklog(read: Read): Promise<Backlog> {
  return readBacklog(read, callbacks)
}

/** The questions whose callback is still to be sent. */
export async function callbacksUnderWay(
  read: Read,
  subjects: readonly SubjectId[],
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set()
  const rows = await read
    .selectDistinct({ id: callbacks.questionId })
    .from(callbacks)
    .where(
      and(
        inArray(callbacks.questionId, [...subjects] as QuestionId[]),
        eq(callbacks.state, 'waiting'),
      ),
    )
  return new Set(rows.map((row) => row.id))
}

/** Deletes the callbacks of these questions, with every attempt. */
export async function deleteCallbacks(tx: Tx, subjects: readonly SubjectId[]): Promise<void> {
  if (subjects.length === 0) return
  const deleted = await tx
    .delete(callbacks)
    .where(inArray(callbacks.questionId, [...subjects] as QuestionId[]))
    .returning({ id: callbacks.id })
  if (deleted.length === 0) return
  const ids = deleted.map((row) => row.id)
  await tx.delete(callbackAttempts).where(inArray(callbackAttempts.callbackId, ids))
}
