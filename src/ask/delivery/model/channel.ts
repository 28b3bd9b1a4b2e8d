import type { NotificationId, QuestionId } from '../../../platform/ids.ts'
import type { Subscriber } from '../../devices/model/subscriber.ts'
import type { Message } from './message.ts'
import type { Receipt } from './receipts.ts'

/** One message as a channel gets it, the same for every device. */
export type Delivery = {
  message: Message
  subjectId: QuestionId | NotificationId
  /** After this moment the service in between may drop it. */
  expiresAt: number
}

/**
 * A way to reach devices; it knows no other. `send` never throws and never hangs: whatever happens
 * is the receipt. It is called once a device, so that a slow one holds up nobody.
 */
export type Channel = {
  transport: string
  send(delivery: Delivery, to: Subscriber, signal: AbortSignal): Promise<Receipt>
}

/** The service that stands between us and a device. */
export function serviceOrigin({ endpoint }: Pick<Subscriber, 'endpoint'>): string {
  return URL.parse(endpoint)?.origin ?? endpoint
}
