import { sealMarks } from '../../../platform/db/seal-marks.ts'
import { notifications } from './table.ts'

const { id, seal, createdAt } = notifications

/** Whether a notification is sealed. */
export const notificationMarks = sealMarks(notifications, { id, seal, at: createdAt })

export type SealedNotification = typeof notifications.$inferSelect
