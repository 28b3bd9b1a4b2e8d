import { and, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { TokenId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { ActionOutcome, Permit, PermitId } from './permit.ts'
import { permits } from './table.ts'

/** Keeps a permit; false if the question has one already. One insert decides every race. */
export async function insertPermit(tx: Tx, permit: Permit): Promise<boolean> {
  const rows = await tx
    .insert(permits)
    .values(permit)
    .onConflictDoNothing({ target: permits.questionId })
    .returning({ id: permits.id })
  return rows.length > 0
}

export async function findPermitFor(
  read: Read,
  questionId: QuestionId,
): Promise<Permit | undefined> {
  const [row] = await read.select().from(permits).where(eq(permits.questionId, questionId))
  return row && fromRow(row)
}

/** The permits of these questions, in no order. */
export async function listPermits(read: Read, ids: readonly QuestionId[]): Promise<Permit[]> {
  if (ids.length === 0) return []
  const rows = await read
    .select()
    .from(permits)
    .where(inArray(permits.questionId, [...ids]))
  return rows.map(fromRow)
}

/** A permit of this token. */
export async function findPermit(
  read: Read,
  tokenId: TokenId,
  id: string,
): Promise<Permit | undefined> {
  const [row] = await read
    .select()
    .from(permits)
    .where(and(eq(permits.id, id as PermitId), eq(permits.tokenId, tokenId)))
  return row && fromRow(row)
}

/**
 * Uses the permit up for this action; false if it was used, is over or is for another action. One
 * update decides every race.
 */
export async function spendPermit(
  tx: Tx,
  { id, actionHash }: Pick<Permit, 'id' | 'actionHash'>,
  now: number,
): Promise<boolean> {
  const rows = await tx
    .update(permits)
    .set({ consumedAt: now })
    .where(
      and(
        eq(permits.id, id),
        eq(permits.actionHash, actionHash),
        isNull(permits.consumedAt),
        gt(permits.expiresAt, now),
      ),
    )
    .returning({ id: permits.id })
  return rows.length > 0
}

/** Records what became of the action; false if it was not begun or has an outcome already. */
export async function setOutcome(
  tx: Tx,
  id: PermitId,
  { outcome, detail, at }: { outcome: ActionOutcome; detail: string | undefined; at: number },
): Promise<boolean> {
  const rows = await tx
    .update(permits)
    .set({ outcome, detail: detail ?? null, outcomeAt: at })
    .where(and(eq(permits.id, id), isNotNull(permits.consumedAt), isNull(permits.outcome)))
    .returning({ id: permits.id })
  return rows.length > 0
}

export async function deletePermits(tx: Tx, ids: readonly QuestionId[]): Promise<void> {
  if (ids.length > 0) await tx.delete(permits).where(inArray(permits.questionId, [...ids]))
}

function fromRow(row: typeof permits.$inferSelect): Permit {
  return nullsToUndefined(row)
}
