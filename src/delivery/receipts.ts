/** What became of one message to one device; a channel says nothing else and never throws. */
export type Receipt =
  | { outcome: 'accepted'; status: number }
  /** The subscription no longer exists: forget it. */
  | { outcome: 'gone'; status: number; reason: string }
  /** Try again, after `retryAfterMs` when the service said so. */
  | { outcome: 'later'; status: number; reason: string; retryAfterMs?: number }
  /** Refused for good; `alarm` when it is the server's set-up that is wrong. */
  | { outcome: 'refused'; status: number; reason: string; alarm?: string }

export type DeliveryState = 'waiting' | 'accepted' | 'gone' | 'refused' | 'lapsed'

/** How far the devices were reached so far, by channel of the spec. */
export type Reach = {
  web: number
  mobile: number
  /** Devices that were addressed, whether or not they have answered yet. */
  addressedWeb: number
  addressedMobile: number
  /** True while an outcome is still open. */
  pending: boolean
}
