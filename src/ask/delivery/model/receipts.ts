import type { SubscriberKind } from '../../devices/model/subscriber.ts'

/**
 * The result of sending one message to one device. A channel returns nothing else and never throws.
 */
export type Receipt =
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
  /** Chat channels that accepted it; they are in neither of the two counts above. */
  chat: number
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

/** The sum of two counts of the same message. */
export function addCounts(a: DeliveryCounts, b: DeliveryCounts): DeliveryCounts {
  return {
    web: a.web + b.web,
    mobile: a.mobile + b.mobile,
    addressedWeb: a.addressedWeb + b.addressedWeb,
    addressedMobile: a.addressedMobile + b.addressedMobile,
    chat: a.chat + b.chat,
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
  switchedOff: { browser: 0, phone: 0, chat: 0 },
  waiting: { browser: 0, phone: 0, chat: 0 },
  pending: false,
}
