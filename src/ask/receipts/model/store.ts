import { asc, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { placeholders, prepared } from '../../../platform/db/prepared.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { receipts, unsignedReceipts } from './table.ts'

/** A decision that was made, with the policy in force then. */
export type Unsigned = typeof unsignedReceipts.$inferSelect

/** A decision as it was signed. */
export type StoredReceipt = typeof receipts.$inferSelect

/** Notes a decision that is to be signed; a question is decided once. */
export async function insertUnsigned(tx: Tx, decision: Unsigned): Promise<void> {
  await insertOne(tx).execute(decision)
}

const insertOne = prepared((tx: Tx) =>
  tx
    .insert(unsignedReceipts)
    .values(placeholders(unsignedReceipts))
    .onConflictDoNothing()
    .prepare(),
)

/** Decisions to be signed, the oldest first. */
export async function listUnsigned(read: Read, limit: number): Promise<Unsigned[]> {
  return await read
    .select()
    .from(unsignedReceipts)
    .orderBy(asc(unsignedReceipts.questionId))
    .limit(limit)
}

export async function findUnsigned(
  read: Read,
  questionId: QuestionId,
): Promise<Unsigned | undefined> {
  const [row] = await read
    .select()
    .from(unsignedReceipts)
    .where(eq(unsignedReceipts.questionId, questionId))
  return row
}

/** Takes decisions off the list; those that somebody else took are missing from the result. */
export async function takeUnsigned(tx: Tx, ids: readonly QuestionId[]): Promise<QuestionId[]> {
  const rows = await tx
    .delete(unsignedReceipts)
    .where(inArray(unsignedReceipts.questionId, [...ids]))
    .returning({ id: unsignedReceipts.questionId })
  return rows.map(({ id }) => id)
}

/** Keeps receipts, at least one; a question has one at most. */
export async function insertReceipts(tx: Tx, signed: readonly StoredReceipt[]): Promise<void> {
  await tx
    .insert(receipts)
    .values([...signed])
    .onConflictDoNothing()
}

export async function findReceipt(
  read: Read,
  questionId: QuestionId,
): Promise<StoredReceipt | undefined> {
  const [row] = await read.select().from(receipts).where(eq(receipts.questionId, questionId))
  return row
}

/** The receipts of these questions, in no order. */
export async function listReceipts(
  read: Read,
  ids: readonly QuestionId[],
): Promise<StoredReceipt[]> {
  if (ids.length === 0) return []
  return await read
    .select()
    .from(receipts)
    .where(inArray(receipts.questionId, [...ids]))
}

export async function deleteReceipts(tx: Tx, ids: readonly QuestionId[]): Promise<void> {
  if (ids.length === 0) return
  // The decision first: on PostgreSQL this waits for whoever is signing it, so that the second
  // statement sees the receipt of that transaction.
  await tx.delete(unsignedReceipts).where(inArray(unsignedReceipts.questionId, [...ids]))
  await tx.delete(receipts).where(inArray(receipts.questionId, [...ids]))
}
