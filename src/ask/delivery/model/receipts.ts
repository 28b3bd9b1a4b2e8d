import type { SubscriberKind } from '../../devices/model/subscriber.ts'

/** What became of one message to one device; a channel says nothing else and never throws. */
export type Receipt =
  /** `ref` names the message at the service, for a channel that changes it later. */
  | { outcome: 'accepted'; status: number; ref?: string }
  /** The subscription no longer exists: forget it. */
  | { outcome: 'gone'; status: number; reason: string }
  /** Try again, after `retryAfterMs` when the service said so. */
  | { outcome: 'later'; status: number; reason: string; retryAfterMs?: number }
  /** Refused for good; `alarm` when it is the server's set-up that is wrong. */
  | { outcome: 'refused'; status: number; reason: string; alarm?: string }

/** `held`: its person has switched such messages off for such devices; it is never sent. */
export type DeliveryState = 'waiting' | 'accepted' | 'gone' | 'refused' | 'lapsed' | 'held'

/** How far the devices were reached so far, by channel as results name them. */
export type DeliveryCounts = {
  web: number
  mobile: number
  /** Devices that were addressed, whether or not they have answered yet. */
  addressedWeb: number
  addressedMobile: number
  /** Chat channels that took it; in neither of the two counts above. */
  chat: number
  /** Devices and channels left out because their person has switched such messages off. */
  switchedOff: ByKind
  /** Devices and channels that have given no outcome yet. */
  waiting: ByKind
  /** True while an outcome is still open. */
  pending: boolean
}

/** How many could be told at all, chat channels too: with none of them there are no devices. */
export function acceptedCount({
  web,
  mobile,
  chat,
}: Pick<DeliveryCounts, 'web' | 'mobile' | 'chat'>): number {
  return web + mobile + chat
}

/** What two parts of one message's deliveries come to. */
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

/** Of a message that was addressed to nobody. */
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
