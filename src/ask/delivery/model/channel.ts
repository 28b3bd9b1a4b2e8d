import type { MessageParts } from '../../questions/model/message-parts.ts'
import type { Subscriber, SubscriberKind } from '../../subscribers/model/subscriber.ts'
import type { SubjectId } from '../../wire/ids.ts'
import type { QuestionType } from '../../wire/question-fields.ts'

/** The message to a device, whatever the channel; plain text only, never the action body. */
export type Message = {
  kind: 'question' | 'notification' | 'outcome' | 'test'
  title: string
  body: string
  /**
   * Messages with the same tag replace each other on the device: the id of the question, or of the
   * first notification of a group.
   */
  tag: string
  /** Path on this server, or an absolute URL, that a tap opens. */
  url: string
  /** The page of this server that shows `url`, for urls that are too long or on another site. */
  page?: string
  urgency: 'high' | 'normal'
  /** Told to the next person because nobody answered; counted apart from the first message. */
  failover?: true
  /** Replaces another message without a sound. */
  quiet?: true
  /** The same message as one sent before, for a device that has not had it; never counted. */
  again?: true
  /** Changes the question's message in a chat, and goes nowhere else. */
  edit?: true
  /** A reminder, sent because nobody answered. */
  reminder?: true
  /** Path on this server that stops such messages, without signing in. */
  stop?: string
  iconUrl?: string
  imageUrl?: string
  question?: {
    correlationId: string
    type: QuestionType
    /** Can be answered from the notification itself; otherwise a tap must open the page. */
    quick: boolean
    /** Certain people decide it: the votes that a chat takes from a linked account with one tap. */
    votes?: Array<'yes' | 'no'>
    /** It has a form, which only its page shows. */
    form?: true
  }
  /**
   * The parts of `body`, for channels with less room for it or with separate places for the parts.
   */
  asked?: MessageParts
}

/** One message as a channel gets it, the same for every device. */
export type Delivery = {
  message: Message
  subjectId: SubjectId
  /** After this instant the push service may drop it. */
  expiresAt: number
}

/**
 * A way to reach devices, independent of the other channels. `send` never throws and never hangs:
 * the receipt says what happened. It is called once for each device, so that a slow one delays no
 * other.
 */
export type Channel = {
  transport: string
  /**
   * True if the service drops a message after `expiresAt`, so one that lives longer is sent again.
   */
  dropsLate?: true
  /** A message takes the place of an earlier one with its tag, so that reminders do not pile up. */
  replaces?: true
  /** Its messages can be changed: `edit`. */
  edits?: true
  send(delivery: Delivery, to: Subscriber, signal: AbortSignal): Promise<DeliveryReceipt>
}

/**
 * The origin of the service that delivers to the device; for addresses without one, like `mailto:`,
 * their scheme.
 */
export function serviceOrigin({ endpoint }: Pick<Subscriber, 'endpoint'>): string {
  const url = URL.parse(endpoint)
  if (!url) return endpoint
  return url.origin === 'null' ? url.protocol : url.origin
}

/**
 * The result of sending one message to one device. A channel returns nothing else and never throws.
 */
export type DeliveryReceipt =
  /** `ref` is the service's id of the message, for channels that change it later. */
  | { outcome: 'accepted'; status: number; ref?: string }
  /** The subscription no longer exists: forget it. */
  | { outcome: 'gone'; status: number; reason: string }
  /** Try again, after `retryAfterMs` if the service gave one. */
  | { outcome: 'later'; status: number; reason: string; retryAfterMs?: number }
  /** Refused for good; `alarm` when the server's own set-up is wrong. */
  | { outcome: 'refused'; status: number; reason: string; alarm?: string }

/** `held`: its person has switched off such messages for such devices; it is never sent. */
export type DeliveryState = 'waiting' | 'accepted' | 'gone' | 'refused' | 'lapsed' | 'held'

/** How many devices were reached so far, by channel as results name them. */
export type DeliveryCounts = {
  web: number
  mobile: number
  /** Devices that messages were addressed to, answered or not. */
  addressedWeb: number
  addressedMobile: number
  /** Chat channels that accepted it, and those it was addressed to; in none of the counts above. */
  chat: number
  addressedChat: number
  /** Devices and channels left out because their person switched such messages off. */
  switchedOff: ByKind
  /** Devices and channels without an outcome so far. */
  waiting: ByKind
  /** True while an outcome is still open. */
  pending: boolean
}

/** How many devices and chat channels accepted it. */
export function acceptedCount({
  web,
  mobile,
  chat,
}: Pick<DeliveryCounts, 'web' | 'mobile' | 'chat'>): number {
  return web + mobile + chat
}

/** True if it was addressed to devices or chat channels, and each has refused it or given up. */
export function allRefused(counts: DeliveryCounts): boolean {
  const { addressedWeb, addressedMobile, addressedChat, pending } = counts
  return (
    addressedWeb + addressedMobile + addressedChat > 0 && acceptedCount(counts) === 0 && !pending
  )
}

/** The sum of two counts of the same message. */
export function addCounts(a: DeliveryCounts, b: DeliveryCounts): DeliveryCounts {
  return {
    web: a.web + b.web,
    mobile: a.mobile + b.mobile,
    addressedWeb: a.addressedWeb + b.addressedWeb,
    addressedMobile: a.addressedMobile + b.addressedMobile,
    chat: a.chat + b.chat,
    addressedChat: a.addressedChat + b.addressedChat,
    switchedOff: addKinds(a.switchedOff, b.switchedOff),
    waiting: addKinds(a.waiting, b.waiting),
    pending: a.pending || b.pending,
  }
}

type ByKind = Record<SubscriberKind, number>

function addKinds(a: ByKind, b: ByKind): ByKind {
  return { browser: a.browser + b.browser, phone: a.phone + b.phone, chat: a.chat + b.chat }
}

/** The counts of a message that was addressed to nobody. */
export const NO_DELIVERIES: Readonly<DeliveryCounts> = {
  web: 0,
  mobile: 0,
  addressedWeb: 0,
  addressedMobile: 0,
  chat: 0,
  addressedChat: 0,
  switchedOff: { browser: 0, phone: 0, chat: 0 },
  waiting: { browser: 0, phone: 0, chat: 0 },
  pending: false,
}
