import { and, asc, count, eq, gt, inArray, isNull, lt, lte, ne, or, sql, sum } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { firstIdAt } from '../../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { WINDOW_MS } from '../../wire/limits.ts'
import { isOver, isPending, lateAnswers, questions } from './table.ts'

/**
 * The outcome of a task is kept this long after the task could have expired, so that a client that
 * was away finds its answer.
 */
export const TASK_KEPT_MS = 24 * 60 * 60_000

/**
 * Questions that ended before `before`, oldest first, after the id `after`. One that was open for
 * long, as a task is, had told its caller how long its outcome is kept: it must also have been due to
 * expire before `promisedUntil`.
 */
export async function listOldQuestions(
  read: Read,
  {
    before,
    promisedUntil,
    after,
    limit,
  }: { before: number; promisedUntil: number; after: QuestionId | undefined; limit: number },
): Promise<QuestionId[]> {
  const { endedAt, expiresAt, createdAt } = questions
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        lt(questions.id, firstIdAt('q', before)),
        after && gt(questions.id, after),
        ne(questions.status, 'pending'),
        or(isNull(endedAt), lt(endedAt, before)),
        or(lte(expiresAt, promisedUntil), lte(sql`${expiresAt} - ${createdAt}`, WINDOW_MS)),
      ),
    )
    .orderBy(asc(questions.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/** The deleted row: the counts of its token are reduced by it. */
export type DeletedQuestion = {
  id: QuestionId
  workspaceId: WorkspaceId
  tokenId: TokenId
  bytes: number
}

/** Deletes these questions and their late answers, unless they are open. */
export async function deleteQuestions(
  tx: Tx,
  ids: readonly QuestionId[],
): Promise<DeletedQuestion[]> {
  if (ids.length === 0) return []
  const { id, workspaceId, tokenId, bytes } = questions
  const deleted = await tx
    .delete(questions)
    .where(and(inArray(id, [...ids]), ne(questions.status, 'pending')))
    .returning({ id, workspaceId, tokenId, bytes })
  const goneIds = deleted.map((row) => row.id)
  if (goneIds.length > 0) {
    await tx.delete(lateAnswers).where(inArray(lateAnswers.questionId, goneIds))
  }
  return deleted
}

/** Ended questions of one token, oldest first, after the id `after`. */
export async function listTokenQuestions(
  read: Read,
  tokenId: TokenId,
  { after, limit }: { after: QuestionId | undefined; limit: number },
): Promise<QuestionId[]> {
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(and(eq(questions.tokenId, tokenId), after && gt(questions.id, after), isOver))
    .orderBy(asc(questions.id))
    .limit(limit)
  return rows.map((row) => row.id)
}

/**
 * How many questions of a token are open, and the size of all of them; that of the ended ones from
 * an index alone.
 */
export async function countTokenQuestions(
  read: Read,
  { workspaceId, tokenId }: { workspaceId: WorkspaceId; tokenId: TokenId },
): Promise<{ open: number; bytes: number }> {
  const bytes = sum(questions.bytes).mapWith(Number)
  const [open] = await read
    .select({ open: count(), bytes })
    .from(questions)
    .where(
      and(
        // The few open questions are found by an index of the workspace.
        eq(questions.workspaceId, workspaceId),
        isPending,
        eq(questions.tokenId, tokenId),
      ),
    )
  const [ended] = await read
    .select({ bytes })
    .from(questions)
    .where(and(eq(questions.tokenId, tokenId), isOver))
  return { open: open?.open ?? 0, bytes: (open?.bytes ?? 0) + (ended?.bytes ?? 0) }
}

/** The ids among these that exist. */
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
