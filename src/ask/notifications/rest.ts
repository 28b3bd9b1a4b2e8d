import { agentRoute, type Route, withDeps } from '../rest/route.ts'
import { SendNotificationInput, SendNotificationResult } from '../wire/notification-fields.ts'
import { type SendNotificationDeps, sendNotification } from './send-notification.ts'

const postNotification = agentRoute(
  {
    method: 'POST',
    path: '/notifications',
    summary: 'Send a one-way notification (send_notification).',
    input: SendNotificationInput,
    result: SendNotificationResult,
  },
  (deps: SendNotificationDeps, { input, call }) => sendNotification(deps, input, call),
)

export function notificationRoutes(deps: SendNotificationDeps): Route[] {
  return withDeps(deps, [postNotification])
}
