import type { Read } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { NotificationId } from '../wire/ids.ts'

/** The access of delivery to the notifications that it sends; passed in, because they import delivery. */
export type SentNotifications = {
  findNotification(
    read: Read,
    workspaceId: WorkspaceId,
    id: NotificationId,
  ): Promise<{ id: NotificationId } | undefined>
  /** The newest notification of a group, whose messages replace each other on a device. */
  findLastOfGroup(
    read: Read,
    workspaceId: WorkspaceId,
    groupId: NotificationId,
  ): Promise<NotificationId | undefined>
}
