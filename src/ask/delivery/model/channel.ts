import type { NotificationId, QuestionId } from '../../../platform/ids.ts'
import type { Subscriber } from '../../devices/model/subscriber.ts'
import type { Message } from './message.ts'
import type { Receipt } from './receipts.ts'

/** One message as a channel gets it, the same for every device. */
export type Delivery = {
  message: Message
  subjectId: QuestionId | NotificationId
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
  /** Its service drops a message after `expiresAt`, so one that lives longer is sent again. */
  dropsLate?: true
  /** A message takes the place of an earlier one with its tag, so that reminders do not pile up. */
  replaces?: true
  send(delivery: Delivery, to: Subscriber, signal: AbortSignal): Promise<Receipt>
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
