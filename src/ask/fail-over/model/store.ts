import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Whose } from '../../accounts/model/person-gone.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import { delay, dueAtOf, type EscalationState } from './step.ts'
import { failovers } from './table.ts'

/** Who is told next about a question that nobody decides. */
export type Failover = EscalationState & {
  questionId: QuestionId
  workspaceId: WorkspaceId
  /** When somebody is told next; null when nobody is. */
  dueAt: number | null
}

export async function insertFailover(tx: Tx, failover: Failover): Promise<void> {
  await tx.insert(failovers).values(failover)
}

/** Questions of which somebody is to be told by `now`, the most overdue first. */
export async function listDueFailovers(
  read: Read,
  now: number,
  limit: number,
): Promise<Failover[]> {
  const rows = await read
    .select()
    .from(failovers)
    .where(lte(failovers.dueAt, now))
    .orderBy(asc(failovers.dueAt))
    .limit(limit)
  return rows.map(fromRow)
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
  return row && fromRow(row)
}

/** Takes the turn that `of` was read with; false when another process took it. */
export async function takeTurn(
  tx: Tx,
  of: Failover,
  next: Omit<Failover, 'questionId' | 'workspaceId'>,
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

/** Moves the next step of a question later, or sooner if `ms` is below zero. */
export async function delayFailover(tx: Tx, questionId: QuestionId, ms: number): Promise<void> {
  const [row] = await tx.select().from(failovers).where(eq(failovers.questionId, questionId))
  if (!row || row.dueAt === null) return
  const state = delay(fromRow(row), ms)
  await takeTurn(tx, fromRow(row), { ...state, dueAt: dueAtOf(state, Number.POSITIVE_INFINITY) })
}

/** Ends the fail-over of a question: nobody else is told. */
export async function endFailover(tx: Tx, questionId: QuestionId): Promise<void> {
  await tx.update(failovers).set({ dueAt: null }).where(eq(failovers.questionId, questionId))
}

export async function deleteFailovers(tx: Tx, ids: readonly SubjectId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(failovers).where(inArray(failovers.questionId, [...ids] as QuestionId[]))
}

/**
 * Tells nobody who has left a workspace. Where they were told, it is looked at again now: if nobody
 * is left of those who were told, the next step is due.
 */
export async function dropTurnsOf(
  tx: Tx,
  { workspaceId, personId, at }: Whose & { at: number },
): Promise<void> {
  const rows = await tx
    .select()
    .from(failovers)
    .where(and(eq(failovers.workspaceId, workspaceId), isNotNull(failovers.dueAt)))
  for (const row of rows) {
    const { questionId, steps, told: notified, waiting, stepAt } = fromRow(row)
    const left = {
      steps: steps.map((one) => ({ ...one, tell: one.tell.filter((who) => who !== personId) })),
      waiting: waiting.filter((one) => one.personId !== personId),
    }
    const wasTold = notified.some((one) => one.personId === personId)
    const next = dueAtOf({ ...left, told: notified, stepAt }, Number.POSITIVE_INFINITY)
    const dueAt = next === null || !wasTold ? next : Math.min(next, at)
    await tx
      .update(failovers)
      .set({ ...left, dueAt })
      .where(eq(failovers.questionId, questionId))
  }
}

function fromRow(row: typeof failovers.$inferSelect): Failover {
  const { steps, waiting } = row
  return { ...row, steps: steps ?? [], waiting: waiting ?? [] }
}
