import type { Clock } from '../../../../platform/clock.ts'
import { readJsonObject } from '../../../../platform/json-object.ts'
import type { Fetched, GuardedFetch } from '../../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../../platform/outgoing/retry-after.ts'
import { cleanLine, cutText } from '../../../../platform/text.ts'
import type { Subscriber } from '../../../devices/subscriber.ts'
import type { Channel, Parcel } from '../../channel.ts'
import type { Receipt } from '../../receipts.ts'
import { PUBLICATION_MAX, PUBLICATION_SMALL, publicationFor } from './publication.ts'
import { type NtfyTopic, topicOf } from './topic.ts'

export type NtfyOptions = {
  fetch: GuardedFetch['fetch']
  clock: Clock
  baseUrl: string
  quickAnswerSecret: string
}

// A server that takes longer is in trouble; the next attempt finds it better.
const TIMEOUT_MS = 10_000

/** Topics of ntfy servers, public or one's own (docs.ntfy.sh: Publish as JSON). */
export function createNtfy(options: NtfyOptions): Channel {
  const { clock, baseUrl, quickAnswerSecret } = options

  function publish(
    parcel: Parcel,
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
      body: publicationFor(parcel, device, to, { baseUrl, quickAnswerSecret, most }),
      signal,
      timeoutMs: TIMEOUT_MS,
    })
  }

  async function send(parcel: Parcel, device: Subscriber, signal: AbortSignal): Promise<Receipt> {
    const to = topicOf(device.endpoint)
    if (!to) return { outcome: 'refused', status: 0, reason: NO_TOPIC }
    let fetched = await publish(parcel, device, to, { most: PUBLICATION_MAX, signal })
    if (fetched.outcome === 'answered' && fetched.status === 413) {
      fetched = await publish(parcel, device, to, { most: PUBLICATION_SMALL, signal })
    }
    const { host } = new URL(to.server)
    return readNtfyReceipt(fetched, { host, topic: to.topic, now: clock.now() })
  }

  return { transport: 'ntfy', send }
}

const NO_TOPIC = 'The address of the topic is not valid; it has to be added again.'

type Answered = Extract<Fetched, { outcome: 'answered' }>
type From = { host: string; topic: string; now: number }

/** What an ntfy server's answer means. */
function readNtfyReceipt(fetched: Fetched, from: From): Receipt {
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
  return { outcome: 'refused', status, reason: REASONS[status]?.(host) ?? said(fetched, host) }
}

/** A page that answers 200 to anything has published nothing. */
function published({ status, body, cut }: Answered, { host, topic }: From): Receipt {
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

function later({ status, headers }: Answered, { host, now }: From): Receipt {
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

function said({ status, body }: Answered, host: string): string {
  if (status >= 300 && status < 400) {
    return `The ntfy server at ${host} answered with a redirect (${status}), which is not followed. Use the address it leads to.`
  }
  const { error } = readJsonObject(body) ?? {}
  const words = typeof error === 'string' ? cutText(cleanLine(error), SAID_MAX) : ''
  return `The ntfy server at ${host} refused the message (${status})${words ? `: ${words}` : '.'}`
}
