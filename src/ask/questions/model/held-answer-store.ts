import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Contract } from '../../wire/contract.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Question } from './question.ts'
import { fromRow } from './row.ts'
import { heldAnswers, isPending, questions } from './table.ts'

/** An answer that is not sent yet. */
export type HeldAnswer = Omit<typeof heldAnswers.$inferSelect, 'edited'> & {
  edited: Contract | undefined
}

type Of = Pick<HeldAnswer, 'workspaceId' | 'questionId'>

/** Serialises what becomes of the held answer of a question, until the end of the transaction. */
export async function lockHeldAnswer(tx: Tx, id: QuestionId): Promise<void> {
  await tx.lock(`held answer ${id}`)
}

/**
 * Holds an answer to an open question until `until`. Resolves to the question afterwards, or
 * undefined if it has ended, or an answer is held already.
 */
export async function holdAnswer(
  tx: Tx,
  held: HeldAnswer,
  until: number,
): Promise<Question | undefined> {
  await lockHeldAnswer(tx, held.questionId)
  const [row] = await tx
    .update(questions)
    .set({ answerHeldUntil: until })
    .where(
      and(
        isOf(held),
        isPending,
        isNull(questions.answerHeldUntil),
        isNull(questions.requirement),
        gt(questions.expiresAt, held.at),
      ),
    )
    .returning()
  if (!row) return undefined
  await tx.insert(heldAnswers).values(held)
  return fromRow(row)
}

/**
 * Takes the held answer of a question, only that of `personId` if given; undefined if there is none.
 * Of two at once, one gets it.
 */
export async function takeHeldAnswer(
  tx: Tx,
  { workspaceId, questionId }: Of,
  personId?: PersonId,
): Promise<HeldAnswer | undefined> {
  await lockHeldAnswer(tx, questionId)
  const rows = await tx
    .delete(heldAnswers)
    .where(
      and(
        eq(heldAnswers.questionId, questionId),
        eq(heldAnswers.workspaceId, workspaceId),
        personId === undefined ? undefined : eq(heldAnswers.personId, personId),
      ),
    )
    .returning()
  return rows.map(nullsToUndefined)[0]
}

/** Opens a question again whose held answer was taken. */
export async function reopenQuestion(tx: Tx, of: Of): Promise<void> {
  await tx.update(questions).set({ answerHeldUntil: null }).where(isOf(of))
}

function isOf({ workspaceId, questionId }: Of) {
  return and(eq(questions.id, questionId), eq(questions.workspaceId, workspaceId))
}

/** The held answers of these questions. */
export async function listHeldAnswers(
  read: Read,
  workspaceId: WorkspaceId,
  ids: readonly QuestionId[],
): Promise<HeldAnswer[]> {
  if (ids.length === 0) return []
  const rows = await read
    .select()
    .from(heldAnswers)
    .where(and(eq(heldAnswers.workspaceId, workspaceId), inArray(heldAnswers.questionId, [...ids])))
  return rows.map(nullsToUndefined)
}

// No answer is held for so long: the clock was set back.
const HELD_MOST_MS = 60_000

/** The questions whose held answer is to be sent by `now`, the first one first. */
export async function listDueAnswers(read: Read, now: number, limit: number): Promise<Of[]> {
  const { id: questionId, workspaceId, answerHeldUntil } = questions
  return read
    .select({ questionId, workspaceId })
    .from(questions)
    .where(
      and(
        isNotNull(answerHeldUntil),
        or(lte(answerHeldUntil, now), gt(answerHeldUntil, now + HELD_MOST_MS)),
      ),
    )
    .orderBy(asc(answerHeldUntil))
    .limit(limit)
}

/** The questions to which a person holds an answer. */
export async function listHeldBy(read: Read, personId: PersonId): Promise<Of[]> {
  const { questionId, workspaceId } = heldAnswers
  return read
    .select({ questionId, workspaceId })
    .from(heldAnswers)
    .where(eq(heldAnswers.personId, personId))
}
