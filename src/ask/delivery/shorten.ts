import { cutText } from '../../platform/text.ts'
import { joinParts, type MessageParts } from '../questions/model/message-parts.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { Message } from './model/channel.ts'
import { linkPath } from './model/links.ts'

// An address longer than this part of the whole would leave too little room for the text.
const ADDRESS_PART = 5
const USUAL_MOST = 3_500

/**
 * An absolute web address; undefined for one that a notification must not open or that is too long
 * for a message of `most` bytes.
 */
export function webAddress(
  text: string,
  baseUrl: string,
  most: number = USUAL_MOST,
): string | undefined {
  const url = URL.parse(text, baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  return url.href.length > most / ADDRESS_PART ? undefined : url.href
}

/**
 * Returns the address that a tap opens: a page of this server. For a link to another site or one
 * that is too long, the page that shows it.
 */
export function linkOf({ url, page }: Message, baseUrl: string, most = USUAL_MOST): string {
  const link = webAddress(url, baseUrl, most)
  if (link && new URL(link).origin === new URL(baseUrl).origin) return link
  return (page && webAddress(page, baseUrl, most)) ?? baseUrl
}

/** The device that gets a link, and the secret that signs it. */
export type LinkFor = { baseUrl: string; quickAnswerSecret: string; deviceId: SubscriberId }

/** As `linkOf`; for a question, the page that takes its answer. Opening it changes nothing. */
export function answerLinkOf(
  message: Message,
  { baseUrl, quickAnswerSecret, deviceId }: LinkFor,
): string {
  const { question } = message
  if (!question) return linkOf(message, baseUrl)
  const questionId = question.correlationId as QuestionId
  const link = { questionId, subscriberId: deviceId, purpose: 'page' } as const
  return new URL(linkPath(quickAnswerSecret, link), baseUrl).href
}

export type ShortText = { title: string; body: string }
/** With the parts of the body, if it cannot simply be cut. */
type Whole = ShortText & { asked?: MessageParts }

/**
 * The first of these that fits into `most` bytes (or what `sizeOf` counts): everything; without
 * pictures; with less of its body (for a question, less of each part); with no body and less of its
 * title.
 */
export function shortened(
  { title, body, asked: parts }: Whole,
  most: number,
  write: (words: ShortText, more: 'pictures' | 'bare') => string,
  sizeOf: (text: string) => number = Buffer.byteLength,
): string {
  const fits = (text: string) => sizeOf(text) <= most
  const whole = write({ title, body }, 'pictures')
  if (fits(whole)) return whole
  const bare = (words: ShortText) => write(words, 'bare')
  const goodBody = longestFitting(
    body,
    (part) => fits(bare({ title, body: part })),
    parts && ((length) => joinParts(parts, length).text),
  )
  const cut = bare({ title, body: goodBody })
  if (fits(cut)) return cut
  const none = { body: '' }
  const goodTitle = longestFitting(title, (part) => fits(bare({ title: part, ...none })))
  return bare({ title: goodTitle, ...none })
}

/** All of `body`, or the longest part for which `isGood` holds: its beginning, with an ellipsis. */
function longestFitting(
  body: string,
  isGood: (body: string) => boolean,
  cut = (length: number) => `${cutText(body, length).trimEnd()}…`,
): string {
  if (isGood(body)) return body
  let good = 0
  let bad = body.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isGood(cut(middle))) good = middle
    else bad = middle
  }
  return good === 0 ? '' : cut(good)
}
