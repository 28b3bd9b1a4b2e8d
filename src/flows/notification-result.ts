import { type Reach, reached } from '../delivery/receipts.ts'
import type { Notification, SendNotificationResult } from '../notifications/notification.ts'
import { NO_DEVICES_WARNING } from '../questions/result.ts'

/** The result of `send_notification`: how many were truly reached, and why not the others. */
export function notificationResult(
  notification: Notification,
  reach: Reach,
  quiet = false,
): SendNotificationResult {
  const { test, questionId } = notification
  const sent = reach.web + reach.mobile
  const nobody = reached(reach) === 0 && !reach.pending && !test && !quiet
  const hint = hintOf(notification, reach, quiet)
  const why = (addressed: number, device: 'browser' | 'phone') =>
    quiet ? QUIET : whyNobody(addressed, device, notification, reach.pending)
  return {
    sent,
    delivery: {
      web: channel(reach.web, why(reach.addressedWeb, 'browser')),
      mobile: channel(reach.mobile, why(reach.addressedMobile, 'phone')),
    },
    ...(test ? { env: 'test' as const } : {}),
    ...(questionId === undefined ? {} : { linkedCorrelationId: questionId }),
    ...(hint ? { hint } : {}),
    ...(nobody ? { warning: NO_DEVICES_WARNING } : {}),
  }
}

function channel(reached: number, why: string) {
  return reached > 0 ? { recipients: reached } : { recipients: 0, status: why }
}

function whyNobody(
  addressed: number,
  device: string,
  { test, targeting }: Notification,
  pending: boolean,
): string {
  if (test) return 'Test traffic is not delivered.'
  if (addressed > 0 && pending) return `The push service has not answered for any ${device} yet.`
  if (addressed > 0) return `No ${device} accepted the push; the devices page says why.`
  if (Object.keys(targeting).length > 0) return `No ${device} matches the targeting.`
  return `No ${device} is connected.`
}

const QUIET = 'Quiet hours: nothing was sent.'

function hintOf({ questionId, test }: Notification, reach: Reach, quiet: boolean): string {
  const { pending, chat } = reach
  return [
    chat > 0 && `Also posted to ${chat === 1 ? 'one chat channel' : `${chat} chat channels`}.`,
    questionId && 'Collect the answer with wait_for_answer and linkedCorrelationId.',
    test && 'Test traffic: recorded in the activity, delivered to nobody.',
    quiet && 'Quiet hours: recorded in the activity; only errors and questions get through.',
    pending && 'Some devices have not reported yet; the counts may still rise.',
  ]
    .filter(Boolean)
    .join(' ')
}
