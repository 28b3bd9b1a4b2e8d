import type { NotificationId, QuestionId } from '../../../platform/ids.ts'
import type { Subscriber } from '../../devices/model/subscriber.ts'
import type { MessageParts } from '../../questions/model/message-parts.ts'
import type { QuestionType } from '../../questions/model/question.ts'
import type { Receipt } from './receipts.ts'

/** What a device is sent, whatever the channel; plain text only, never the action body. */
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
  /** A reminder, sent because nobody answered. */
  reminder?: true
  iconUrl?: string
  imageUrl?: string
  question?: {
    correlationId: string
    type: QuestionType
    /** Can be answered from the notification itself; otherwise a tap must open the page. */
    quick: boolean
  }
  /**
   * The parts of `body`, for channels with less room for it or with separate places for the parts.
   */
  asked?: MessageParts
}

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
