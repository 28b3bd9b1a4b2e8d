import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Question } from './question.ts'
import { questions } from './table.ts'

type Of = Pick<Question, 'workspaceId' | 'id'>

/** Adds to the detail of a question, and keeps what others write to it at the same time. */
export async function addDetail(tx: Tx, of: Of, more: Question['detail']): Promise<void> {
  const detail = await detailWith(tx, of, more)
  if (detail) await tx.update(questions).set({ detail }).where(eq(questions.id, of.id))
}

/** The detail of a question as it is with `more`, until the end of the transaction. */
export async function detailWith(
  tx: Tx,
  { workspaceId, id }: Of,
  more: Question['detail'],
): Promise<Question['detail'] | undefined> {
  await lockDetail(tx, id)
  const here = and(eq(questions.workspaceId, workspaceId), eq(questions.id, id))
  const [row] = await tx.select({ detail: questions.detail }).from(questions).where(here)
  return row && { ...row.detail, ...more }
}

/** The detail is one value, so whoever changes a part of it must read it first. */
export async function lockDetail(tx: Tx, id: QuestionId): Promise<void> {
  await tx.lock(`detail ${id}`)
}
