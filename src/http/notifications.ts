import { sendNotification } from '../flows/send-notification.ts'
import { SendNotificationInput, SendNotificationResult } from '../notifications/notification.ts'
import { agentRoute } from './route.ts'

export const postNotification = agentRoute(
  {
    method: 'POST',
    path: '/notifications',
    summary: 'Send a one-way notification (send_notification).',
    input: SendNotificationInput,
    result: SendNotificationResult,
  },
  (deps, { input, call }) => sendNotification(deps, input, call),
)
