import { and, asc, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import type { Question } from './question.ts'
import { fromRow } from './row.ts'
import { isPending, questions, snoozes } from './table.ts'
import { isShown } from './visible-store.ts'

export type Snooze = typeof snoozes.$inferSelect

/** A question with when it comes back. */
export type SnoozedQuestion = { question: Question; until: number }

/** Snoozes a question; one that is snoozed already gets the new time. */
export async function putSnooze(tx: Tx, snooze: Snooze): Promise<void> {
  await tx
    .insert(snoozes)
    .values(snooze)
    .onConflictDoUpdate({
      target: [snoozes.personId, snoozes.questionId],
      set: { until: snooze.until },
    })
}

/** Shows a question again; false if it was not snoozed. */
export async function endSnooze(
  tx: Tx,
  personId: PersonId,
  questionId: QuestionId,
): Promise<boolean> {
  const rows = await tx
    .delete(snoozes)
    .where(and(eq(snoozes.personId, personId), eq(snoozes.questionId, questionId)))
    .returning({ until: snoozes.until })
  return rows.length > 0
}

/** When a question comes back for this person; undefined if it is not snoozed. */
export async function findSnooze(
  read: Read,
  personId: PersonId,
  questionId: QuestionId,
  now: number,
): Promise<number | undefined> {
  const [row] = await read
    .select({ until: snoozes.until })
    .from(snoozes)
    .where(and(eq(snoozes.questionId, questionId), snoozedBy(personId, now)))
  return row?.until
}

/** The open questions that a person snoozed, the first to come back first. */
export async function listSnoozed(
  read: Read,
  viewer: Viewer & { id: PersonId },
  now: number,
  limit: number,
): Promise<SnoozedQuestion[]> {
  const rows = await read
    .select({ question: questions, until: snoozes.until })
    .from(snoozes)
    .innerJoin(questions, eq(questions.id, snoozes.questionId))
    .where(
      and(
        snoozedBy(viewer.id, now),
        isShown(read, viewer),
        isPending,
        gt(questions.expiresAt, now),
        isNull(questions.held),
        isNull(questions.answerHeldUntil),
      ),
    )
    .orderBy(asc(snoozes.until), asc(snoozes.questionId))
    .limit(limit)
  return rows.map(({ question, until }) => ({ question: fromRow(question), until }))
}

/** The ids of the questions that a person snoozed, as a part of another query. */
export function snoozedIds(read: Read, personId: PersonId, now: number) {
  return read.select({ id: snoozes.questionId }).from(snoozes).where(snoozedBy(personId, now))
}

/** The people who snoozed a question that is due back by `now`. */
export async function listSnoozers(
  read: Read,
  questionId: QuestionId,
  now: number,
): Promise<PersonId[]> {
  const rows = await read
    .select({ personId: snoozes.personId })
    .from(snoozes)
    .where(and(eq(snoozes.questionId, questionId), gt(snoozes.until, now)))
  return rows.map(({ personId }) => personId)
}

/** Returns true if a snooze is over by `now`. */
export async function hasOverSnoozes(read: Read, now: number): Promise<boolean> {
  const rows = await read
    .select({ until: snoozes.until })
    .from(snoozes)
    .where(lte(snoozes.until, now))
    .limit(1)
  return rows.length > 0
}

/** Deletes snoozes that are over by `now`; resolves to the people who had them. */
export async function endOverSnoozes(tx: Tx, now: number): Promise<PersonId[]> {
  const deleted = await tx
    .delete(snoozes)
    .where(lte(snoozes.until, now))
    .returning({ personId: snoozes.personId })
  return [...new Set(deleted.map(({ personId }) => personId))]
}

export async function deleteSnoozes(tx: Tx, ids: readonly SubjectId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(snoozes).where(inArray(snoozes.questionId, [...ids] as QuestionId[]))
}

function snoozedBy(personId: PersonId, now: number) {
  return and(eq(snoozes.personId, personId), gt(snoozes.until, now))
}
