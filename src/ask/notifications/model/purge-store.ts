import { and, asc, eq, gt, inArray, lt, sum } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { firstIdAt } from '../../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { NotificationId, QuestionId } from '../../wire/ids.ts'
import { notifications } from './table.ts'

/** Notifications older than `before`, oldest first, after the id `after`. */
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

/** The deleted row: the counts of its token are reduced by it. */
export type DeletedNotification = {
  id: NotificationId
  workspaceId: WorkspaceId
  tokenId: TokenId
  bytes: number
}

export async function deleteNotifications(
  tx: Tx,
  ids: readonly NotificationId[],
): Promise<DeletedNotification[]> {
  if (ids.length === 0) return []
  const { id, workspaceId, tokenId, bytes } = notifications
  return tx
    .delete(notifications)
    .where(inArray(id, [...ids]))
    .returning({ id, workspaceId, tokenId, bytes })
}

/** Notifications of one token, oldest first, after the id `after`. */
export async function listTokenNotifications(
  read: Read,
  tokenId: TokenId,
  { after, limit }: { after: NotificationId | undefined; limit: number },
): Promise<Array<{ id: NotificationId; questionId: QuestionId | null; bytes: number }>> {
  const { id, questionId, bytes } = notifications
  return read
    .select({ id, questionId, bytes })
    .from(notifications)
    .where(and(eq(notifications.tokenId, tokenId), after && gt(id, after)))
    .orderBy(asc(id))
    .limit(limit)
}

/** The size of all notifications of a token; read from an index alone. */
export async function countTokenNotifications(read: Read, tokenId: TokenId): Promise<number> {
  const [row] = await read
    .select({ bytes: sum(notifications.bytes).mapWith(Number) })
    .from(notifications)
    .where(eq(notifications.tokenId, tokenId))
  return row?.bytes ?? 0
}
