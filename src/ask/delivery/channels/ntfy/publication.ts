import type { QuestionId } from '../../../../platform/ids.ts'
import { cutText } from '../../../../platform/text.ts'
import type { Subscriber } from '../../../devices/subscriber.ts'
import { type LinkPurpose, linkPath } from '../../answer-link.ts'
import type { Parcel } from '../../channel.ts'
import type { Message } from '../../message.ts'
import { linkOf, shortened, webAddress } from '../../shorten.ts'
import type { NtfyTopic } from './topic.ts'

export type PublicationOptions = {
  baseUrl: string
  quickAnswerSecret: string
  /** Bytes that the JSON may have. */
  most: number
}

// A server takes 4,096 bytes of message, and what goes on to Google or Apple is cut at about 4,000.
export const PUBLICATION_MAX = 3_800
/** For a server that found even that too large. */
export const PUBLICATION_SMALL = 1_500
const TITLE_MAX = 250
const SEQUENCE_ID = /^[-\w]{1,64}$/

/** Of ntfy's five: 2 makes no sound, 3 the usual one, 4 is let through sooner. */
const QUIET = 2
const USUAL = 3
const HIGH = 4

/**
 * What is posted to the server's root (ntfy docs: Publish as JSON). What is too large loses its
 * pictures, then the end of its words; the links and buttons stay.
 */
export function publicationFor(
  parcel: Parcel,
  device: Subscriber,
  { topic }: NtfyTopic,
  options: PublicationOptions,
): string {
  const { message } = parcel
  const { baseUrl, most } = options
  const pictures = {
    icon: picture(message.iconUrl, baseUrl),
    attach: picture(message.imageUrl, baseUrl),
  }
  return shortened(message, most, ({ title, body }, more) => {
    const isWhole = body === message.body
    const answers = answersFor(message, device, { ...options, isWhole })
    return JSON.stringify({
      topic,
      title: cutText(title, TITLE_MAX),
      // An empty message would be shown as the word "triggered".
      message: body || title,
      priority: priorityOf(message),
      tags: tagsOf(message),
      click: answers?.click ?? linkOf(message, baseUrl, most),
      actions: answers?.actions,
      sequence_id: sequenceOf(message),
      ...(more === 'pictures' ? pictures : {}),
    })
  })
}

/** Where a tap leads, and the buttons: two that answer by themselves where all of it is shown. */
function answersFor(
  message: Message,
  device: Subscriber,
  options: PublicationOptions & { isWhole: boolean },
) {
  const { question } = message
  if (!question) return undefined
  const questionId = question.correlationId as QuestionId
  const to = (purpose: LinkPurpose) =>
    new URL(
      linkPath(options.quickAnswerSecret, { questionId, subscriberId: device.id, purpose }),
      options.baseUrl,
    ).href
  const click = to('page')
  const button = (label: string, purpose: LinkPurpose) => ({
    action: 'http',
    label,
    method: 'POST',
    url: to(purpose),
    clear: true,
  })
  const look = { action: 'view', label: 'Look', url: click, clear: true }
  const isQuick = question.quick && options.isWhole
  const quick = isQuick ? [button('Yes', 'yes'), button('No', 'no')] : []
  return { click, actions: [...quick, look] }
}

function priorityOf({ kind, urgency, quiet }: Message): number {
  if (kind === 'outcome' || quiet) return QUIET
  return urgency === 'high' ? HIGH : USUAL
}

function tagsOf({ kind, urgency }: Message): string[] | undefined {
  if (kind === 'question') return ['question']
  return kind === 'notification' && urgency === 'high' ? ['warning'] : undefined
}

/** Messages of one sequence replace each other; each test is to be seen by itself. */
function sequenceOf({ kind, tag }: Message): string | undefined {
  return kind !== 'test' && SEQUENCE_ID.test(tag) ? tag : undefined
}

/** The phone fetches it by itself: only what is open to everyone, over https. */
function picture(url: string | undefined, baseUrl: string): string | undefined {
  const address = url && webAddress(url, baseUrl)
  return address?.startsWith('https:') ? address : undefined
}
