import { and, asc, gt, inArray, isNull, lt, ne, or } from 'drizzle-orm'
import type { Read, Tx } from '../db/database.ts'
import { firstIdAt, type QuestionId } from '../kernel/ids.ts'
import { lateAnswers, questions } from './table.ts'

/** Questions that ended before `before`, oldest first, from after the id `after` on. */
export async function listOldQuestions(
  read: Read,
  { before, after, limit }: { before: number; after: QuestionId | undefined; limit: number },
): Promise<QuestionId[]> {
  const { endedAt } = questions
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        lt(questions.id, firstIdAt('q', before)),
        after && gt(questions.id, after),
        ne(questions.status, 'pending'),
        or(isNull(endedAt), lt(endedAt, before)),
      ),
    )
    .orderBy(asc(questions.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** Forgets these questions and the late answers to them, unless one is open. */
export async function deleteQuestions(tx: Tx, ids: readonly QuestionId[]): Promise<QuestionId[]> {
  if (ids.length === 0) return []
  const gone = await tx
    .delete(questions)
    .where(and(inArray(questions.id, [...ids]), ne(questions.status, 'pending')))
    .returning({ id: questions.id })
  const goneIds = gone.map((row) => row.id)
  if (goneIds.length > 0) {
    await tx.delete(lateAnswers).where(inArray(lateAnswers.questionId, goneIds))
  }
  return goneIds
}

/** Those of these questions that exist. */
export async function existingQuestions(
  read: Read,
  ids: readonly QuestionId[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(inArray(questions.id, [...ids]))
  return new Set(rows.map((row) => row.id))
}
