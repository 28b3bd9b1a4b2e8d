import { eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { QuestionId } from '../../../platform/ids.ts'
import { receipts } from './table.ts'

/** A decision as it was signed. */
export type StoredReceipt = typeof receipts.$inferSelect

/** Keeps a receipt; a question is decided once. */
export async function insertReceipt(tx: Tx, receipt: StoredReceipt): Promise<void> {
  await tx.insert(receipts).values(receipt).onConflictDoNothing()
}

export async function findReceipt(
  read: Read,
  questionId: QuestionId,
): Promise<StoredReceipt | undefined> {
  const [row] = await read.select().from(receipts).where(eq(receipts.questionId, questionId))
  return row
}

export async function deleteReceipts(tx: Tx, ids: readonly QuestionId[]): Promise<void> {
  if (ids.length > 0) await tx.delete(receipts).where(inArray(receipts.questionId, [...ids]))
}
