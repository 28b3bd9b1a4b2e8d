import { and, desc, eq, lt } from 'drizzle-orm'
import { nullsToUndefined, rowBytes } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { sealMarks } from '../../../platform/db/seal-marks.ts'
import { inSession, type SessionName } from '../../../platform/db/sql.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import { isVisible } from '../../visibility/model/store.ts'
import type { NotificationId } from '../../wire/ids.ts'
import type { SendNotificationResult } from '../../wire/notification-fields.ts'
import type { Notification } from './notification.ts'
import { notifications } from './table.ts'

type Row = typeof notifications.$inferSelect

/** The size of its row, without deliveries. */
export function notificationBytes(notification: Notification): number {
  const { title, body, agentName, machineId, sessionId, context, targeting } = notification
  const { url, iconUrl, imageUrl } = notification
  const addresses = [url, iconUrl, imageUrl]
  return rowBytes(title, body, agentName, machineId, sessionId, context, targeting, ...addresses)
}

/** `bytes`: its size with its deliveries, for the counts of its token; `key`: for its retries. */
export async function insertNotification(
  tx: Tx,
  notification: Notification,
  bytes = notificationBytes(notification),
  key?: string,
): Promise<void> {
  await tx.insert(notifications).values({ ...notification, bytes, key })
}

/** A notification with the result of its call, once there is one. */
export type KeyedNotification = {
  notification: Notification
  result: SendNotificationResult | undefined
}

export async function findByKey(
  read: Read,
  workspaceId: WorkspaceId,
  key: string,
): Promise<KeyedNotification | undefined> {
  const rows = await read
    .select()
    .from(notifications)
    .where(and(eq(notifications.workspaceId, workspaceId), eq(notifications.key, key)))
    .limit(1)
  return rows[0] && { notification: fromRow(rows[0]), result: rows[0].result ?? undefined }
}

export async function forgetKey(tx: Tx, { id }: Notification): Promise<void> {
  await tx.update(notifications).set({ key: null, result: null }).where(eq(notifications.id, id))
}

export async function keepResult(
  tx: Tx,
  { id }: Notification,
  result: SendNotificationResult,
): Promise<void> {
  await tx.update(notifications).set({ result }).where(eq(notifications.id, id))
}

/** The link of a notification, for anybody who has its id. */
export async function findNotificationUrl(
  read: Read,
  id: NotificationId,
): Promise<Pick<Notification, 'id' | 'url'> | undefined> {
  const { id: own, url } = notifications
  const rows = await read.select({ id: own, url }).from(notifications).where(eq(own, id)).limit(1)
  return rows[0] && nullsToUndefined(rows[0])
}

export async function findNotification(
  read: Read,
  workspaceId: WorkspaceId,
  id: NotificationId,
): Promise<Notification | undefined> {
  const rows = await read
    .select()
    .from(notifications)
    .where(and(eq(notifications.id, id), eq(notifications.workspaceId, workspaceId)))
    .limit(1)
  return rows[0] && fromRow(rows[0])
}

/** The notifications of a session on any machine, newest first; without test traffic. */
export async function listSessionNotifications(
  read: Read,
  workspaceId: WorkspaceId,
  sessionId: string,
  limit: number,
): Promise<Notification[]> {
  const theirs = and(
    eq(notifications.workspaceId, workspaceId),
    eq(notifications.sessionId, sessionId),
    eq(notifications.test, false),
  )
  const rows = await read
    .select()
    .from(notifications)
    .where(theirs)
    .orderBy(desc(notifications.id))
    .limit(limit)
  return rows.map(fromRow)
}

/** Notifications of a workspace, newest first; those with an id below `before`, and of one session, when given. */
export async function listNotifications(
  read: Read,
  viewer: Viewer,
  page: { before: NotificationId | undefined; limit: number; session?: SessionName | undefined },
): Promise<Notification[]> {
  const rows = await read
    .select()
    .from(notifications)
    .where(
      and(
        isShown(read, viewer),
        page.session && inSession(notifications, page.session),
        page.before && lt(notifications.id, page.before),
      ),
    )
    .orderBy(desc(notifications.id))
    .limit(page.limit)
  return rows.map(fromRow)
}

/** The notifications of a workspace that somebody sees. */
export function isShown(read: Read, viewer: Viewer) {
  return and(
    eq(notifications.workspaceId, viewer.workspaceId),
    isVisible(read, { tokenId: notifications.tokenId, subjectId: notifications.id }, viewer),
  )
}

/** The last notification of a group; undefined if the group has no notifications. */
export async function findLastOfGroup(
  read: Read,
  workspaceId: WorkspaceId,
  groupId: NotificationId,
): Promise<NotificationId | undefined> {
  const [last] = await read
    .select({ id: notifications.id })
    .from(notifications)
    .where(and(eq(notifications.groupId, groupId), eq(notifications.workspaceId, workspaceId)))
    // Every message of a group has its number; ids of the same millisecond have no order.
    .orderBy(desc(notifications.groupSize), desc(notifications.id))
    .limit(1)
  return last?.id
}

function fromRow({ bytes: _, seal: __, key: ___, result: ____, ...row }: Row): Notification {
  return nullsToUndefined(row)
}

const { id, seal, createdAt } = notifications

/** Marks notifications that the audit trail has sealed. */
export const notificationMarks = sealMarks(notifications, { id, seal, at: createdAt })

export type SealedNotification = typeof notifications.$inferSelect
