import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Read, Tx } from '../db/database.ts'
import { nulled, placeholders, prepared } from '../db/prepared.ts'
import type { DeliveryId, NotificationId, QuestionId, WorkspaceId } from '../kernel/ids.ts'
import type { DeliveryState, Reach } from './receipts.ts'
import { deliveries } from './table.ts'

export type DeliveryRow = typeof deliveries.$inferSelect

// Ids go to the database in pieces, below every database's limit on parameters.
const IDS_PIECE = 500

const insertOne = prepared((tx: Tx) =>
  tx.insert(deliveries).values(placeholders(deliveries)).prepare(),
)

export async function insertDeliveries(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  for (const row of rows) await insertOne(tx).execute(nulled(row))
}

/** What one attempt made of several rows at once. */
export type Settled = {
  ids: DeliveryId[]
  state: DeliveryState
  status: number
  error: string | undefined
  at: number
  /** When the next attempt is due; for state `waiting` alone. */
  nextAt?: number | undefined
}

/** Writes down an attempt; rows that wait again are free for whoever comes when they are due. */
export async function settleDeliveries(tx: Tx, settled: Settled): Promise<void> {
  const { ids, state, status, error, at, nextAt } = settled
  const waits = state === 'waiting'
  for (const piece of pieces(ids, IDS_PIECE)) {
    await tx
      .update(deliveries)
      .set({
        state,
        attempts: sql<number>`${deliveries.attempts} + 1`.mapWith(Number),
        lastStatus: status,
        lastError: error ?? null,
        claimedBy: null,
        claimedUntil: 0,
        ...(waits ? { nextAt: nextAt ?? at } : { endedAt: at }),
      })
      .where(and(inArray(deliveries.id, piece), eq(deliveries.state, 'waiting')))
  }
}

/** Ends rows that are not worth an attempt any more. */
export async function lapseDeliveries(
  tx: Tx,
  ids: readonly DeliveryId[],
  at: number,
  reason: string,
): Promise<void> {
  for (const piece of pieces(ids, IDS_PIECE)) {
    await tx
      .update(deliveries)
      .set({ state: 'lapsed', lastError: reason, endedAt: at, claimedBy: null, claimedUntil: 0 })
      .where(and(inArray(deliveries.id, piece), eq(deliveries.state, 'waiting')))
  }
}

export type Claim = { by: string; now: number; until: number }

/** Takes up to `limit` rows that are due and in nobody's hands, the longest due first. */
export async function claimDue(tx: Tx, claim: Claim, limit: number): Promise<DeliveryRow[]> {
  const free = and(
    eq(deliveries.state, 'waiting'),
    lte(deliveries.nextAt, claim.now),
    lte(deliveries.claimedUntil, claim.now),
  )
  const due = await tx.skipLocked(
    tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(free)
      .orderBy(asc(deliveries.nextAt), asc(deliveries.id))
      .limit(limit),
  )
  if (due.length === 0) return []
  const ids = due.map((row) => row.id)
  return tx
    .update(deliveries)
    .set({ claimedBy: claim.by, claimedUntil: claim.until })
    .where(and(inArray(deliveries.id, ids), free))
    .returning()
}

/** Keeps what is in this process's hands for a while longer. */
export async function extendClaims(tx: Tx, by: string, until: number): Promise<void> {
  await tx
    .update(deliveries)
    .set({ claimedUntil: until })
    .where(and(eq(deliveries.state, 'waiting'), eq(deliveries.claimedBy, by)))
}

/** Lets go of everything in this process's hands, for the next one to take at once. */
export async function releaseClaims(tx: Tx, by: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ claimedBy: null, claimedUntil: 0 })
    .where(and(eq(deliveries.state, 'waiting'), eq(deliveries.claimedBy, by)))
}

/** Every row about a question or notification, in the order it was addressed. */
export async function listDeliveries(
  read: Read,
  workspaceId: WorkspaceId,
  subjectId: QuestionId | NotificationId,
): Promise<DeliveryRow[]> {
  return read
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.subjectId, subjectId), eq(deliveries.workspaceId, workspaceId)))
    .orderBy(asc(deliveries.id))
}

/** What of a delivery is counted. */
export type Counted = Pick<DeliveryRow, 'kind' | 'state'> & {
  message: Pick<DeliveryRow['message'], 'kind'>
}

/** How far the message about `subjectId` got; outcomes announced later do not count. */
export function reachOf(rows: readonly Counted[]): Reach {
  const reach = { web: 0, mobile: 0, addressedWeb: 0, addressedMobile: 0, pending: false }
  for (const row of rows) {
    if (row.message.kind === 'outcome') continue
    const accepted = row.state === 'accepted' ? 1 : 0
    if (row.state === 'waiting') reach.pending = true
    if (row.kind === 'browser') {
      reach.web += accepted
      reach.addressedWeb += 1
    } else {
      reach.mobile += accepted
      reach.addressedMobile += 1
    }
  }
  return reach
}

function* pieces<T>(list: readonly T[], most: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += most) yield list.slice(at, at + most)
}
