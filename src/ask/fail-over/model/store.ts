import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Whose } from '../../accounts/model/person-gone.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import { failovers } from './table.ts'

/** The people who are told next about a question that nobody answers. */
export type Failover = typeof failovers.$inferSelect

export async function insertFailover(tx: Tx, failover: Failover): Promise<void> {
  await tx.insert(failovers).values(failover)
}

/** Questions whose next person is to be told by `now`, the most overdue first. */
export async function listDueFailovers(
  read: Read,
  now: number,
  limit: number,
): Promise<Failover[]> {
  return read
    .select()
    .from(failovers)
    .where(lte(failovers.dueAt, now))
    .orderBy(asc(failovers.dueAt))
    .limit(limit)
}

export async function findFailover(
  read: Read,
  workspaceId: WorkspaceId,
  questionId: QuestionId,
): Promise<Failover | undefined> {
  const [row] = await read
    .select()
    .from(failovers)
    .where(and(eq(failovers.questionId, questionId), eq(failovers.workspaceId, workspaceId)))
  return row
}

/** Takes the turn that `of` was read with; false when another process took it. */
export async function takeTurn(
  tx: Tx,
  of: Failover,
  next: Pick<Failover, 'people' | 'told' | 'dueAt'>,
): Promise<boolean> {
  const { questionId, dueAt } = of
  if (dueAt === null) return false
  const rows = await tx
    .update(failovers)
    .set(next)
    .where(and(eq(failovers.questionId, questionId), eq(failovers.dueAt, dueAt)))
    .returning({ id: failovers.questionId })
  return rows.length > 0
}

/** Ends the fail-over of a question: nobody else is told. */
export async function endFailover(tx: Tx, questionId: QuestionId): Promise<void> {
  await tx.update(failovers).set({ dueAt: null }).where(eq(failovers.questionId, questionId))
}

export async function deleteFailovers(tx: Tx, ids: readonly SubjectId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(failovers).where(inArray(failovers.questionId, [...ids] as QuestionId[]))
}

/** Takes a person out of the turns of open questions. */
export async function dropTurnsOf(tx: Tx, { workspaceId, personId }: Whose): Promise<void> {
  const rows = await tx
    .select()
    .from(failovers)
    .where(and(eq(failovers.workspaceId, workspaceId), isNotNull(failovers.dueAt)))
  for (const { questionId, people, dueAt } of rows) {
    if (!people.includes(personId)) continue
    const left = people.filter((one) => one !== personId)
    await tx
      .update(failovers)
      .set({ people: left, dueAt: left.length > 0 ? dueAt : null })
      .where(eq(failovers.questionId, questionId))
  }
}
