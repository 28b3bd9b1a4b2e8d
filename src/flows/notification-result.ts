import type { Reach } from '../delivery/receipts.ts'
import type { Notification, SendNotificationResult } from '../notifications/notification.ts'
import { NO_DEVICES_WARNING } from '../questions/result.ts'

/** The result of `send_notification`: how many were truly reached, and why not the others. */
export function notificationResult(
  notification: Notification,
  reach: Reach,
): SendNotificationResult {
  const { test, questionId } = notification
  const sent = reach.web + reach.mobile
  const nobody = sent === 0 && !reach.pending && !test
  const hint = hintOf(notification, reach)
  return {
    sent,
    delivery: {
      web: channel(reach.web, reach.addressedWeb, 'browser', notification, reach.pending),
      mobile: channel(reach.mobile, reach.addressedMobile, 'phone', notification, reach.pending),
    },
    ...(test ? { env: 'test' as const } : {}),
    ...(questionId === undefined ? {} : { linkedCorrelationId: questionId }),
    ...(hint ? { hint } : {}),
    ...(nobody ? { warning: NO_DEVICES_WARNING } : {}),
  }
}

function channel(
  reached: number,
  addressed: number,
  device: 'browser' | 'phone',
  notification: Notification,
  pending: boolean,
) {
  if (reached > 0) return { recipients: reached }
  return { recipients: 0, status: whyNobody(addressed, device, notification, pending) }
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

function hintOf({ questionId, test }: Notification, { pending }: Reach): string {
  return [
    questionId && 'Collect the answer with wait_for_answer and linkedCorrelationId.',
    test && 'Test traffic: recorded in the activity, delivered to nobody.',
    pending && 'Some devices have not reported yet; the counts may still rise.',
  ]
    .filter(Boolean)
    .join(' ')
}
