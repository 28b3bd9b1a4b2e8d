import { acceptedCount, allRefused, type DeliveryCounts } from '../delivery/model/channel.ts'
import type { Unmatched } from '../subscribers/model/unmatched.ts'
import {
  chatAloneWarning,
  type NobodyBecause,
  nobodyWarning,
  targetHint,
} from '../waiting/next-step.ts'
import type { SendNotificationResult } from '../wire/notification-fields.ts'
import type { Notification } from './model/notification.ts'
import { isWebAddress } from './notification-message.ts'

/**
 * The effect of the limits of the token: for how many people pushes were combined, and how many
 * older notifications were deleted.
 */
export type LimitsMet = { collapsed: number; removed: number }

/**
 * The result of `send_notification`: how many devices were reached, and why not the others.
 * `unmatched`: the target that no device matches, if that is the reason.
 */
export function notificationResult(
  notification: Notification,
  counts: DeliveryCounts,
  unmatched: Unmatched | undefined,
  limitsMet: LimitsMet & { urlUnused: boolean },
): SendNotificationResult {
  const { test, questionId, held } = notification
  const quiet = held === 'quiet_hours'
  const together = limitsMet.collapsed > 0
  const count = counts.web + counts.mobile
  const isNobody = acceptedCount(counts) === 0 && !counts.pending && !test && !quiet && !together
  const nobody = isNobody
    ? {
        switchedOff: switchSuppression(notification, counts),
        unmatched,
        refused: allRefused(counts),
      }
    : undefined
  const chatAlone = together ? undefined : chatAloneWarning(counts)
  const warning = nobody ? nobodyWarning(nobody) : chatAlone
  const hint = hintOf(notification, counts, nobody, limitsMet)
  const { addressedWeb, addressedMobile, switchedOff } = counts
  const why = (addressed: number, off: number, device: 'browser' | 'phone') =>
    quiet
      ? QUIET
      : held === 'collapsed'
        ? TOGETHER
        : whyNobody({ addressed, off, device, waiting: counts.waiting[device] }, notification)
  return {
    sent: count,
    delivery: {
      web: channel(counts.web, why(addressedWeb, switchedOff.browser, 'browser')),
      mobile: channel(counts.mobile, why(addressedMobile, switchedOff.phone, 'phone')),
    },
    ...(test ? { env: 'test' as const } : {}),
    ...(questionId === undefined ? {} : { linkedCorrelationId: questionId }),
    ...(hint ? { hint } : {}),
    ...(warning ? { warning } : {}),
  }
}

function channel(reached: number, why: string) {
  return reached > 0 ? { recipients: reached } : { recipients: 0, status: why }
}

/**
 * Returns `all` or `some` if people's own switches suppressed it on all or some of its devices;
 * otherwise undefined.
 */
function switchSuppression(
  { held }: Notification,
  { switchedOff }: DeliveryCounts,
): 'all' | 'some' | undefined {
  if (held === 'switched_off') return 'all'
  return Object.values(switchedOff).some((number) => number > 0) ? 'some' : undefined
}

type Kind = { addressed: number; off: number; waiting: number; device: 'browser' | 'phone' }

function whyNobody(
  { addressed, off, waiting, device }: Kind,
  { test, targeting }: Notification,
): string {
  if (test) return 'Test traffic is not delivered.'
  if (waiting > 0) return `The push service has not answered for any ${device} yet.`
  if (addressed > 0) return `No ${device} accepted the push; the devices page says why.`
  if (off > 0) return `Held: every ${device} it is for has this kind switched off by its person.`
  if (Object.keys(targeting).length > 0) return `No ${device} matches the targeting.`
  return `No ${device} is connected.`
}

const TOGETHER = 'Too many pushes in this minute: one push announces several together.'

const QUIET = 'Quiet hours: nothing was sent.'

const URL_UNUSED = 'url was not used: context makes the page that a tap opens.'
const OTHER_URL = 'url was not used: only http and https open on a tap.'

function togetherHint(people: number): string {
  const whom = people === 1 ? 'one person' : `${people} people`
  return `For ${whom} these were the most pushes of a minute: it comes together with others. Send fewer.`
}

function removedHint(removed: number): string {
  return `Storage limit: ${removed === 1 ? 'the oldest notification was' : `the ${removed} oldest notifications were`} removed.`
}

function hintOf(
  { questionId, test, url, held }: Notification,
  { pending, chat }: DeliveryCounts,
  nobody: NobodyBecause | undefined,
  limitsMet: LimitsMet & { urlUnused: boolean },
): string {
  return [
    chat > 0 && `Posted to ${chat === 1 ? 'one chat or mailbox' : `${chat} chats and mailboxes`}.`,
    questionId && (nobody ? NOT_ASKED : ASKED),
    nobody && targetHint(nobody),
    test && 'Test traffic: recorded, delivered to nobody.',
    limitsMet.collapsed > 0 && togetherHint(limitsMet.collapsed),
    limitsMet.removed > 0 && removedHint(limitsMet.removed),
    held === 'quiet_hours' && 'Quiet hours: recorded; only errors and questions get through.',
    url !== undefined && !isWebAddress(url) && OTHER_URL,
    limitsMet.urlUnused && URL_UNUSED,
    pending && 'Some devices have not reported yet.',
  ]
    .filter(Boolean)
    .slice(0, PARTS_MAX)
    .join(' ')
}

// A hint costs at most 60 tokens; the parts stand by their weight.
const PARTS_MAX = 4

const ASKED = 'Collect the answer with wait_for_answer and linkedCorrelationId.'
const NOT_ASKED =
  'Nobody was told of the question: withdraw it with cancel_question and linkedCorrelationId.'
