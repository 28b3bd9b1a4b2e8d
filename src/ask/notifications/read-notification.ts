import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { NotificationId } from '../wire/ids.ts'
import type { Notification } from './model/notification.ts'
import { findNotification, findNotificationUrl } from './model/store.ts'

type Deps = { db: Db }

export function readNotification(
  { db }: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Notification | undefined> {
  return findNotification(db.read, workspaceId, id as NotificationId)
}

/** The link of a notification; undefined if there is no such notification. */
export function readLeavingAddress(
  { db }: Deps,
  id: string,
): Promise<Pick<Notification, 'id' | 'url'> | undefined> {
  return findNotificationUrl(db.read, id as NotificationId)
}
