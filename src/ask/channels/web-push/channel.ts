import type webPush from 'web-push'
import type { Clock } from '../../../platform/clock.ts'
import type { Fetched, GuardedFetch } from '../../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../../platform/outgoing/reply.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { SessionAccess } from '../../delivery/channel-module.ts'
import {
  type Channel,
  type Delivery,
  type DeliveryReceipt,
  serviceOrigin,
} from '../../delivery/model/channel.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { PAYLOAD_MAX, PAYLOAD_SMALL, payloadFor } from './payload.ts'

export type WebPushOptions = {
  fetch: GuardedFetch['fetch']
  clock: Clock
  vapid: VapidKeys
  /** BECKON_VAPID_SUBJECT; without it the base URL says who answers for a push. */
  vapidSubject: string | undefined
  baseUrl: string
  quickAnswerSecret: string
  sessionOf: SessionAccess['ofMessage']
}

// A push service that takes longer is in trouble; a later attempt is more likely to succeed.
const TIMEOUT_MS = 10_000
const TOPIC = /^[\w-]{1,32}$/

/** Web Push (RFC 8030, 8188, 8291, 8292): browsers, installed web apps, UnifiedPush. */
export function createWebPush(options: WebPushOptions): Channel {
  const { baseUrl, clock, quickAnswerSecret, sessionOf } = options
  const { subject, reachable } = vapidSubject(options.vapidSubject, baseUrl)
  const authorization = createVapid(options.vapid, subject, clock)

  async function post(
    delivery: Delivery,
    device: Subscriber & { keys: PushKeys },
    most: number,
    signal: AbortSignal,
  ): Promise<Fetched> {
    const { message, expiresAt } = delivery
    const session = await sessionOf(delivery, device.workspaceId)
    const { headers, body } = await pushRequest({
      text: payloadFor(delivery, device, { baseUrl, quickAnswerSecret, most, session }),
      keys: device.keys,
      authorization: await authorization(serviceOrigin(device)),
      ttl: Math.max(0, Math.floor((expiresAt - clock.now()) / 1000)),
      urgency: message.urgency,
      topic: TOPIC.test(message.tag) ? message.tag : undefined,
    })
    const request = { method: 'POST', headers, body, signal, timeoutMs: TIMEOUT_MS } as const
    return options.fetch(device.endpoint, request)
  }

  async function send(
    delivery: Delivery,
    device: Subscriber,
    signal: AbortSignal,
  ): Promise<DeliveryReceipt> {
    const origin = serviceOrigin(device)
    const { keys } = device
    if (!keys) return { outcome: 'refused', status: 0, reason: NO_KEYS }
    const to = { ...device, keys }
    if (!reachable && isApple(origin)) {
      return { outcome: 'refused', status: 0, reason: SUBJECT_ALARM, alarm: SUBJECT_ALARM }
    }
    let fetched: Fetched
    try {
      fetched = await post(delivery, to, PAYLOAD_MAX, signal)
      if (fetched.outcome === 'answered' && fetched.status === 413) {
        fetched = await post(delivery, to, PAYLOAD_SMALL, signal)
      }
    } catch {
      return { outcome: 'refused', status: 0, reason: NO_KEYS }
    }
    return readReceipt(fetched, { origin, subject, now: clock.now() })
  }

  return { transport: 'webpush', dropsLate: true, replaces: true, send }
}

const NO_KEYS = 'The keys of the device are not valid; it has to be connected again.'

/** Interprets a push service's answer (RFC 8030). */
function readReceipt(
  fetched: Fetched,
  from: { origin: string; subject: string; now: number },
): DeliveryReceipt {
  if (fetched.outcome === 'blocked') {
    return { outcome: 'refused', status: 0, reason: fetched.reason }
  }
  if (fetched.outcome !== 'answered') {
    return {
      outcome: 'later',
      status: 0,
      reason: `The push service was not reached. ${fetched.reason}`,
    }
  }
  const { status, headers } = fetched
  if (status >= 200 && status < 300) return { outcome: 'accepted', status }
  if (status === 404 || status === 410) {
    return { outcome: 'gone', status, reason: `The subscription no longer exists (${status}).` }
  }
  if (status === 429 || status >= 500) {
    const retryAfterMs = readRetryAfter(headers.get('retry-after'), from.now)
    const reason =
      status === 429
        ? 'The push service asks for fewer messages (429).'
        : `The push service has trouble of its own (${status}).`
    return {
      outcome: 'later',
      status,
      reason,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  }
  if (status === 401 || status === 403) return notOurs(status, from)
  return { outcome: 'refused', status, reason: REASONS[status] ?? replyText(fetched) }
}

function notOurs(
  status: number,
  { origin, subject }: { origin: string; subject: string },
): DeliveryReceipt {
  return {
    outcome: 'refused',
    status,
    reason: `The push service did not accept this server's signature (${status}).`,
    alarm: `${origin} answers ${status} to this server's signature. The VAPID subject it was given is ${subject}: set BECKON_VAPID_SUBJECT to a mailto: or https: address that the outside can reach. If the server's keys were replaced, its devices have to be connected again. A clock that is hours off has the same effect.`,
  }
}

const REASONS: Record<number, string> = {
  413: 'The push service found even the shortened message too large (413).',
}

const SAID_MAX = 200

function replyText({ status, body }: Extract<Fetched, { outcome: 'answered' }>): string {
  if (status >= 300 && status < 400) {
    return `The push service answered with a redirect (${status}), which is not followed.`
  }
  const words = cutText(cleanLine(new TextDecoder().decode(body)), SAID_MAX)
  return `The push service refused the message (${status})${words ? `: ${words}` : '.'}`
}

/** The keys of a subscription, base64url. */
type PushKeys = { p256dh: string; auth: string }

type PushMessage = {
  /** At most `TEXT_BYTES_MAX` bytes; never empty. */
  text: string
  keys: PushKeys
  /** The signed header for the push service. */
  authorization: string
  /** How long the service keeps the message for a device that is off, in seconds. */
  ttl: number
  urgency: webPush.Urgency
  /** A newer message with the same topic replaces an older one that still waits for the device. */
  topic: string | undefined
}

/**
 * The bytes of one record of RFC 8188; `web-push` would split a longer text, which browsers refuse.
 */
export const TEXT_BYTES_MAX = 4_096 - 16 - 1

/**
 * Headers and encrypted body of one message (RFC 8030, 8188, 8291). Throws when the keys are not
 * valid or the text is too long. `web-push` is loaded with the first message: few processes send
 * one. It would sign each message anew, which takes as long as encrypting it; so the signature is
 * handed in.
 */
export async function pushRequest(message: PushMessage) {
  const { text, keys, authorization, ttl, urgency, topic } = message
  if (Buffer.byteLength(text) > TEXT_BYTES_MAX) throw new Error('too long for one record')
  const { default: webPush } = await import('web-push')
  // It only looks at the address to choose a signature, and to write warnings to the console.
  const subscription = { endpoint: 'https://push.invalid', keys }
  const details = webPush.generateRequestDetails(subscription, text, {
    TTL: ttl,
    urgency,
    headers: { Authorization: authorization },
    ...(topic === undefined ? {} : { topic }),
  })
  const { TTL, 'Content-Length': _, ...headers } = details.headers
  return {
    headers: { ...headers, TTL: String(TTL) } as Record<string, string>,
    body: new Uint8Array(details.body),
  }
}

type VapidKeys = { publicKey: string; privateKey: string }

/** The contact for this server's pushes that push services get (RFC 8292, `sub`). */
type VapidSubject = {
  subject: string
  /** False for a contact that cannot be reached from outside. */
  reachable: boolean
}

const UNREACHABLE = /(^|\.)(localhost|local|localdomain|internal|invalid|test)$|^[^.]*$/

/**
 * The configured subject, otherwise the base URL if it is https and has a public name. Otherwise a
 * mailto address at the server's own name: Google and Mozilla accept it, but Apple answers 403 to
 * it, so that nothing is sent to Apple until `BECKON_VAPID_SUBJECT` is set (and the start raises an
 * alarm). An invented reachable address would mislead the operator of the push service.
 */
export function vapidSubject(configured: string | undefined, baseUrl: string): VapidSubject {
  if (configured) return { subject: configured, reachable: true }
  const { protocol, hostname, origin } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'https:' && !UNREACHABLE.test(host)) return { subject: origin, reachable: true }
  return { subject: `mailto:beckon@${host}`, reachable: false }
}

/** Shown until a reachable subject is set. */
export const SUBJECT_ALARM =
  'iPhones, iPads and Safari cannot be reached yet: Apple takes pushes only from servers that name a contact. Set BECKON_VAPID_SUBJECT to a mailto: or https: address of yours, or run Beckon under a public https address.'

/** The same for the log, on one line of a terminal. */
export const SUBJECT_HINT = 'No pushes to iPhones: set BECKON_VAPID_SUBJECT or use https.'

export function isApple(origin: string): boolean {
  return /(^|\.)push\.apple\.com$/.test(URL.parse(origin)?.hostname ?? '')
}

// Services accept up to 24 h; half of that stays valid on a clock that is a little off.
const LIFE_S = 12 * 60 * 60
const RENEW_BEFORE_S = 60 * 60

/**
 * The `Authorization` header for a push service. Signing costs more than encrypting a message, so
 * one signature serves every message to the same service for hours.
 */
function createVapid(keys: VapidKeys, subject: string, clock: Clock) {
  const byOrigin = new Map<string, { header: string; renewAt: number }>()

  return async (origin: string): Promise<string> => {
    const now = Math.floor(clock.now() / 1000)
    const cached = byOrigin.get(origin)
    if (cached && now < cached.renewAt) return cached.header
    const { default: webPush } = await import('web-push')
    const { publicKey, privateKey } = keys
    const expires = now + LIFE_S
    const { Authorization: header } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      expires,
    )
    byOrigin.set(origin, { header, renewAt: expires - RENEW_BEFORE_S })
    return header
  }
}
