import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import { reminders } from './table.ts'

export type Reminder = typeof reminders.$inferSelect

/** A question that has reminders already keeps them. */
export async function insertReminder(tx: Tx, reminder: Reminder): Promise<void> {
  await tx.insert(reminders).values(reminder).onConflictDoNothing()
}

/** Those that are due by `now`, the most overdue first. */
export async function listDueReminders(
  read: Read,
  now: number,
  limit: number,
): Promise<Reminder[]> {
  return read
    .select()
    .from(reminders)
    .where(lte(reminders.dueAt, now))
    .orderBy(asc(reminders.dueAt))
    .limit(limit)
}

/** Takes the reminder that `of` was read with; false when another process took it. */
export async function takeReminder(
  tx: Tx,
  { questionId, dueAt }: Reminder,
  next: Pick<Reminder, 'sent' | 'dueAt'>,
): Promise<boolean> {
  if (dueAt === null) return false
  const rows = await tx
    .update(reminders)
    .set(next)
    .where(and(eq(reminders.questionId, questionId), eq(reminders.dueAt, dueAt)))
    .returning({ id: reminders.questionId })
  return rows.length > 0
}

export async function deleteReminders(tx: Tx, ids: readonly SubjectId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(reminders).where(inArray(reminders.questionId, [...ids] as QuestionId[]))
}
