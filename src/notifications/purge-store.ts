import { and, asc, gt, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../db/database.ts'
import { firstIdAt, type NotificationId, type QuestionId } from '../kernel/ids.ts'
import { notifications } from './table.ts'

/** Notifications older than `before`, oldest first, from after the id `after` on. */
export async function listOldNotifications(
  read: Read,
  { before, after, limit }: { before: number; after: NotificationId | undefined; limit: number },
): Promise<Array<{ id: NotificationId; questionId: QuestionId | null }>> {
  return read
    .select({ id: notifications.id, questionId: notifications.questionId })
    .from(notifications)
    .where(and(lt(notifications.id, firstIdAt('n', before)), after && gt(notifications.id, after)))
    .orderBy(asc(notifications.id))
    .limit(limit)
}

export async function deleteNotifications(tx: Tx, ids: readonly NotificationId[]): Promise<void> {
  if (ids.length === 0) return
  await tx.delete(notifications).where(inArray(notifications.id, [...ids]))
}
