import type { Db } from '../../platform/db/database.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { sees } from '../visibility/model/store.ts'
import type { NotificationId } from '../wire/ids.ts'
import type { Notification } from './model/notification.ts'
import { findNotification, findNotificationUrl } from './model/store.ts'

type Deps = { db: Db }

export async function readNotification(
  { db }: Deps,
  viewer: Viewer,
  id: string,
): Promise<Notification | undefined> {
  const notification = await findNotification(db.read, viewer.workspaceId, id as NotificationId)
  if (!notification) return undefined
  const { id: subjectId, tokenId } = notification
  return (await sees(db.read, viewer, { subjectId, tokenId })) ? notification : undefined
}

/** The link of a notification; undefined if there is no such notification. */
export function readLeavingAddress(
  { db }: Deps,
  id: string,
): Promise<Pick<Notification, 'id' | 'url'> | undefined> {
  return findNotificationUrl(db.read, id as NotificationId)
}
