import type { Clock } from '../../../platform/clock.ts'
import { readJsonObject } from '../../../platform/json.ts'
import type { Fetched, GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../platform/outgoing/reply.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { Channel, Delivery, DeliveryReceipt, Message } from '../../delivery/model/channel.ts'
import { type LinkPurpose, linkPath } from '../../delivery/model/links.ts'
import { linkOf, shortened, webAddress } from '../../delivery/shorten.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { type NtfyTopic, topicOf } from './topic.ts'

export type NtfyOptions = {
  fetch: GuardedFetch['fetch']
  clock: Clock
  baseUrl: string
  quickAnswerSecret: string
}

// A server that takes longer is in trouble; a later attempt is more likely to succeed.
const TIMEOUT_MS = 10_000

/** Topics of ntfy servers, public or one's own (docs.ntfy.sh: Publish as JSON). */
export function createNtfy(options: NtfyOptions): Channel {
  const { clock, baseUrl, quickAnswerSecret } = options

  function publish(
    delivery: Delivery,
    device: Subscriber,
    to: NtfyTopic,
    how: { most: number; signal: AbortSignal },
  ): Promise<Fetched> {
    const { most, signal } = how
    const { authorization } = device
    return options.fetch(`${to.server}/`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body: publicationFor(delivery, device, to, { baseUrl, quickAnswerSecret, most }),
      signal,
      timeoutMs: TIMEOUT_MS,
    })
  }

  async function send(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const to = topicOf(device.endpoint)
    if (!to) return { outcome: 'refused', status: 0, reason: NO_TOPIC }
    let fetched = await publish(delivery, device, to, { most: PUBLICATION_MAX, signal })
    if (fetched.outcome === 'answered' && fetched.status === 413) {
      fetched = await publish(delivery, device, to, { most: PUBLICATION_SMALL, signal })
    }
    const { host } = new URL(to.server)
    return readNtfyReceipt(fetched, { host, topic: to.topic, now: clock.now() })
  }

  return { transport: 'ntfy', replaces: true, send }
}

const NO_TOPIC = 'The address of the topic is not valid; add it again.'

type Answered = Extract<Fetched, { outcome: 'answered' }>
type From = { host: string; topic: string; now: number }

/** Interprets an ntfy server's answer. */
function readNtfyReceipt(fetched: Fetched, from: From): DeliveryReceipt {
  const { host } = from
  if (fetched.outcome === 'blocked') {
    return { outcome: 'refused', status: 0, reason: fetched.reason }
  }
  if (fetched.outcome !== 'answered') {
    const reason = `The ntfy server at ${host} was not reached. ${fetched.reason}`
    return { outcome: 'later', status: 0, reason }
  }
  const { status } = fetched
  if (status >= 200 && status < 300) return published(fetched, from)
  if (status === 429 || status >= 500) return later(fetched, from)
  return {
    outcome: 'refused',
    status,
    reason: REASONS[status]?.(host) ?? refusalText(fetched, host),
  }
}

/** A page that answers 200 to anything has published nothing. */
function published({ status, body, cut }: Answered, { host, topic }: From): DeliveryReceipt {
  const message = readJsonObject(body)
  if (message?.event === 'message' && message.topic === topic) {
    return { outcome: 'accepted', status }
  }
  if (cut === 'broken') {
    const reason = `The ntfy server at ${host} broke off its answer (${status}).`
    return { outcome: 'later', status, reason }
  }
  const reason = `${host} answered, but not as an ntfy server does (${status}). Check the address of the topic.`
  return { outcome: 'refused', status, reason }
}

function later({ status, headers }: Answered, { host, now }: From): DeliveryReceipt {
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now)
  const reason =
    status === 429
      ? `The ntfy server at ${host} asks for fewer messages (429).`
      : `The ntfy server at ${host} has trouble of its own (${status}).`
  return {
    outcome: 'later',
    status,
    reason,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

const REASONS: Record<number, (host: string) => string> = {
  401: (host) =>
    `The ntfy server at ${host} did not accept the access token or password (401). ${ADD_ANEW}`,
  403: (host) =>
    `The ntfy server at ${host} does not let this server publish to the topic (403). ${ADD_ANEW}`,
  404: (host) =>
    `There is no ntfy server at ${host} that takes messages (404). Check the address of the topic.`,
  413: (host) => `The ntfy server at ${host} found even the shortened message too large (413).`,
}
const ADD_ANEW = 'Add the topic again with a token or password that may write to it.'

const SAID_MAX = 200

function refusalText({ status, body }: Answered, host: string): string {
  if (status >= 300 && status < 400) {
    return `The ntfy server at ${host} answered with a redirect (${status}), which is not followed. Use the address it leads to.`
  }
  const { error } = readJsonObject(body) ?? {}
  const words = typeof error === 'string' ? cutText(cleanLine(error), SAID_MAX) : ''
  return `The ntfy server at ${host} refused the message (${status})${words ? `: ${words}` : '.'}`
}

type PublicationOptions = {
  baseUrl: string
  quickAnswerSecret: string
  /** Bytes that the JSON may have. */
  most: number
}

// A server accepts 4,096 bytes of message; what it passes on to Google or Apple is cut at about 4,000.
export const PUBLICATION_MAX = 3_800
/** For a server that found even that too large. */
export const PUBLICATION_SMALL = 1_500
const TITLE_MAX = 250
const SEQUENCE_ID = /^[-\w]{1,64}$/

/** Priorities of ntfy, 1 to 5: 2 makes no sound, 3 makes the usual one, 4 is let through sooner. */
const QUIET = 2
const USUAL = 3
const HIGH = 4

/**
 * Builds the JSON that is posted to the server's root (ntfy docs: Publish as JSON). What is too
 * large loses its pictures, then the end of its words; the links and buttons stay.
 */
export function publicationFor(
  delivery: Delivery,
  device: Subscriber,
  { topic }: NtfyTopic,
  options: PublicationOptions,
): string {
  const { message } = delivery
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

/** Where a tap leads, and the buttons: Yes and No only if the message shows everything. */
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

/** Messages of one sequence replace each other, and every test should be visible. */
function sequenceOf({ kind, tag }: Message): string | undefined {
  return kind !== 'test' && SEQUENCE_ID.test(tag) ? tag : undefined
}

/** The phone fetches it without signing in, so only https addresses are used. */
function picture(url: string | undefined, baseUrl: string): string | undefined {
  const address = url && webAddress(url, baseUrl)
  return address?.startsWith('https:') ? address : undefined
}
