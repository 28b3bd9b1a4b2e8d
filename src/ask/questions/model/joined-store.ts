import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { rowBytes } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import type { AskDraft, Question } from './question.ts'
import { fromRow } from './row.ts'
import { joinedCalls, questions } from './table.ts'

/** The additions of a call that joins a question, besides its content. */
export type JoinedCall = typeof joinedCalls.$inferSelect

/**
 * Returns the additions of a draft that its question, with the calls that joined it, does not have
 * yet.
 */
export function newInCall(
  draft: AskDraft,
  { id, key, callbackUrl }: Question,
  joined: readonly JoinedCall[],
): JoinedCall | undefined {
  const calls = [{ key, callbackUrl }, ...joined]
  const own = calls.some((call) => call.key === draft.key) ? undefined : draft.key
  const url = calls.some((call) => call.callbackUrl === draft.callbackUrl)
    ? undefined
    : draft.callbackUrl
  if (own === undefined && url === undefined) return undefined
  const { workspaceId } = draft
  return { id: draft.id, workspaceId, questionId: id, key: own ?? null, callbackUrl: url ?? null }
}

export function joinedBytes({ id, key, callbackUrl }: JoinedCall): number {
  return rowBytes(id, key, callbackUrl)
}

/**
 * Locks a question that a call joins, whether it has ended or not, and resolves to it: nobody has
 * left it any more, and its row is `bytes` larger.
 */
export async function lockJoined(tx: Tx, id: QuestionId, bytes = 0): Promise<Question | undefined> {
  const larger = sql`${questions.bytes} + ${bytes}`
  const rows = await tx
    .update(questions)
    .set({ abandonedAt: null, bytes: larger })
    .where(eq(questions.id, id))
    .returning()
  return rows[0] && fromRow(rows[0])
}

export async function insertJoinedCall(tx: Tx, call: JoinedCall): Promise<void> {
  await tx.insert(joinedCalls).values(call)
}

export async function listJoinedCalls(read: Read, questionId: QuestionId): Promise<JoinedCall[]> {
  return read.select().from(joinedCalls).where(eq(joinedCalls.questionId, questionId))
}

const findByJoinedKey = prepared((read: Read) =>
  read
    .select({ question: questions })
    .from(joinedCalls)
    .innerJoin(questions, eq(questions.id, joinedCalls.questionId))
    .where(
      and(
        eq(joinedCalls.workspaceId, sql.placeholder('workspaceId')),
        isNotNull(joinedCalls.key),
        eq(joinedCalls.key, sql.placeholder('key')),
        gt(questions.expiresAt, sql.placeholder('since')),
      ),
    )
    .limit(1)
    .prepare(),
)

/** The question that the call with this key joined, if it expires after `since`. */
export async function findJoinedByKey(
  read: Read,
  workspaceId: WorkspaceId,
  key: string,
  since: number,
): Promise<Question | undefined> {
  const [row] = await findByJoinedKey(read).execute({ workspaceId, key, since })
  return row && fromRow(row.question)
}

export async function deleteJoinedCalls(tx: Tx, ids: readonly SubjectId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(joinedCalls).where(inArray(joinedCalls.questionId, [...ids] as QuestionId[]))
}
