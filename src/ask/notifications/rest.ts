import { agentRoute } from '../rest/route.ts'
import { SendNotificationInput, SendNotificationResult } from '../wire/notification-fields.ts'
import { sendNotification } from './send-notification.ts'

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
