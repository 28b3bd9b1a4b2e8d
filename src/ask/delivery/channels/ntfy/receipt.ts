import { readJsonObject } from '../../../../platform/json-object.ts'
import type { Fetched } from '../../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../../platform/outgoing/retry-after.ts'
import { cleanLine, cutText } from '../../../../platform/text.ts'
import type { Receipt } from '../../receipts.ts'

type Answered = Extract<Fetched, { outcome: 'answered' }>
type From = { host: string; topic: string; now: number }

/** What an ntfy server's answer means (docs/delivery.md). */
export function readNtfyReceipt(fetched: Fetched, from: From): Receipt {
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
