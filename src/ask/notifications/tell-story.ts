import type { Tx } from '../../platform/db/database.ts'
import type { DeliveryRow } from '../delivery/store.ts'
import type { Question } from '../questions/question.ts'
import { COLLAPSE_LOOK, groupOf } from './collapse.ts'
import type { Notification } from './notification.ts'
import { notificationLetter } from './notification-letter.ts'
import { listNotifications } from './store.ts'

/** Finds the earlier messages of the session whose place it takes on devices. */
export async function inItsStory(tx: Tx, notification: Notification): Promise<Notification> {
  const { workspaceId, machineId = '', sessionId } = notification
  if (sessionId === undefined) return notification
  await tx.lock(`story ${workspaceId} ${machineId} ${sessionId}`)
  const page = { before: undefined, limit: COLLAPSE_LOOK, session: { machineId, sessionId } }
  const before = await listNotifications(tx, workspaceId, page)
  return { ...notification, ...groupOf(notification, before) }
}

/**
 * The rows as they were addressed, with a message that counts what it takes the place of. In a chat
 * the earlier ones stay where they are, and nothing is counted.
 */
export function tellStory(
  rows: DeliveryRow[],
  told: Notification,
  question: Question | undefined,
): DeliveryRow[] {
  if ((told.groupSize ?? 1) === 1) return rows
  const { message } = notificationLetter(told, question)
  return rows.map((row) => (row.kind === 'chat' ? row : { ...row, message }))
}
