import { type Reach, reached } from '../delivery/receipts.ts'
import type { Notification, SendNotificationResult } from '../notifications/notification.ts'
import { nobodyWarning } from '../questions/result.ts'
import { isWebAddress } from './notification-letter.ts'

/** The result of `send_notification`: how many were truly reached, and why not the others. */
export function notificationResult(
  notification: Notification,
  reach: Reach,
): SendNotificationResult {
  const { test, questionId, held } = notification
  const quiet = held === 'quiet_hours'
  const sent = reach.web + reach.mobile
  const nobody = reached(reach) === 0 && !reach.pending && !test && !quiet
  const hint = hintOf(notification, reach, quiet)
  const { addressedWeb, addressedMobile, switchedOff } = reach
  const why = (addressed: number, off: number, device: 'browser' | 'phone') =>
    quiet ? QUIET : whyNobody({ addressed, off, device }, notification, reach.pending)
  return {
    sent,
    delivery: {
      web: channel(reach.web, why(addressedWeb, switchedOff.browser, 'browser')),
      mobile: channel(reach.mobile, why(addressedMobile, switchedOff.phone, 'phone')),
    },
    ...(test ? { env: 'test' as const } : {}),
    ...(questionId === undefined ? {} : { linkedCorrelationId: questionId }),
    ...(hint ? { hint } : {}),
    ...(nobody ? { warning: nobodyWarning(switchedOffOf(notification, reach)) } : {}),
  }
}

function channel(reached: number, why: string) {
  return reached > 0 ? { recipients: reached } : { recipients: 0, status: why }
}

/** Whether people's own switches kept it from all or some of the devices it was for. */
function switchedOffOf({ held }: Notification, { switchedOff }: Reach): 'all' | 'some' | undefined {
  if (held === 'switched_off') return 'all'
  return Object.values(switchedOff).some((number) => number > 0) ? 'some' : undefined
}

type Kind = { addressed: number; off: number; device: 'browser' | 'phone' }

function whyNobody(
  { addressed, off, device }: Kind,
  { test, targeting }: Notification,
  pending: boolean,
): string {
  if (test) return 'Test traffic is not delivered.'
  if (addressed > 0 && pending) return `The push service has not answered for any ${device} yet.`
  if (addressed > 0) return `No ${device} accepted the push; the devices page says why.`
  if (off > 0) return `Held: every ${device} it is for has this kind switched off by its person.`
  if (Object.keys(targeting).length > 0) return `No ${device} matches the targeting.`
  return `No ${device} is connected.`
}

const QUIET = 'Quiet hours: nothing was sent.'

const OTHER_URL =
  'url was not used: only http and https addresses open on a tap. The tap opens the page of this notification.'

function hintOf({ questionId, test, url }: Notification, reach: Reach, quiet: boolean): string {
  const { pending, chat } = reach
  return [
    chat > 0 && `Also posted to ${chat === 1 ? 'one chat channel' : `${chat} chat channels`}.`,
    questionId && 'Collect the answer with wait_for_answer and linkedCorrelationId.',
    test && 'Test traffic: recorded in the activity, delivered to nobody.',
    quiet && 'Quiet hours: recorded in the activity; only errors and questions get through.',
    url !== undefined && !isWebAddress(url) && OTHER_URL,
    pending && 'Some devices have not reported yet; the counts may still rise.',
  ]
    .filter(Boolean)
    .join(' ')
}
