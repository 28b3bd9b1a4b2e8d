import type { Delivery } from '../../delivery/model/channel.ts'
import { deviceKey, quickKey } from '../../delivery/model/links.ts'
import { linkOf, shortened, webAddress } from '../../delivery/shorten.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** The data that the worker finds in `notification.data`. */
type PushData = {
  kind: Delivery['message']['kind']
  /** The question's or notification's id. */
  id: string
  subscriberId: string
  /** For `POST /api/v1/subscribers/ID/shown`, `opened` and `renew`. */
  deviceKey: string
  /** Opened on tap. */
  url: string
  expiresAt: number
  /** Present when the question may be answered from the notification, which then shows all of it. */
  answerKey?: string
  /** The session that may be told what to do next. */
  session?: AgentSessionId
}

export type PayloadOptions = {
  baseUrl: string
  quickAnswerSecret: string
  /** Bytes that the JSON may have. */
  most: number
  session?: AgentSessionId | undefined
}

// RFC 8030 promises 4,096 bytes of ciphertext; some services on the way take less.
export const PAYLOAD_MAX = 3_000
/** For a service that found even that too large. */
export const PAYLOAD_SMALL = 1_200

/**
 * The push as Declarative Web Push JSON (`web_push: 8030`): a browser that knows it shows it by
 * itself, every other hands it to the worker. What is too large loses its pictures, then the end
 * of its words; what a tap opens stays.
 */
export function payloadFor(
  delivery: Delivery,
  device: Subscriber,
  options: PayloadOptions,
): string {
  const { message } = delivery
  const { baseUrl, most } = options
  const url = linkOf(message, baseUrl, most)
  // Marks that the page was opened from this message, where no worker receives the tap.
  const ours = url.startsWith(`${baseUrl}/`) && !url.includes('#')
  const pictures = {
    icon: message.iconUrl && webAddress(message.iconUrl, baseUrl, most),
    image: message.imageUrl && webAddress(message.imageUrl, baseUrl, most),
  }
  return shortened(message, most, ({ title, body }, more) =>
    JSON.stringify({
      web_push: 8030,
      // If the browser shows the push by itself, the worker still runs and reports that it was
      // shown.
      mutable: true,
      notification: {
        title,
        body,
        navigate: ours ? `${url}#push=${message.kind}.${delivery.subjectId}` : url,
        tag: message.tag,
        ...(more === 'pictures' ? pictures : {}),
        ...(message.kind === 'outcome' || message.quiet ? { silent: true } : {}),
        data: dataFor(delivery, device, url, { ...options, isWhole: body === message.body }),
      },
    }),
  )
}

function dataFor(
  { message, subjectId, expiresAt }: Delivery,
  device: Subscriber,
  url: string,
  { quickAnswerSecret, isWhole, session }: PayloadOptions & { isWhole: boolean },
): PushData {
  const { question, kind } = message
  return {
    kind,
    id: subjectId,
    subscriberId: device.id,
    deviceKey: deviceKey(quickAnswerSecret, device.id),
    url,
    expiresAt,
    ...(question?.quick && isWhole
      ? { answerKey: quickKey(quickAnswerSecret, question.correlationId as QuestionId, device.id) }
      : {}),
    // Words belong under a text that shows all of the end.
    ...(session && isWhole ? { session } : {}),
  }
}
