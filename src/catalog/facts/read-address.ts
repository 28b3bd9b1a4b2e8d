import type { Static, TSchema } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import type { Fetched, GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { Shape } from '../../platform/schema.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { ProbeNetwork } from './fact.ts'

/** The result of requesting one address, redirects followed. */
export type ProbeReply =
  | {
      outcome: 'answered'
      /** The address that answered in the end. */
      url: string
      status: number
      headers: Headers
      body: Uint8Array
      cut: false | 'long' | 'broken'
    }
  /** Nothing is known: the request was blocked or not answered. */
  | { outcome: 'silent'; why: string }

export type ProbeRequest = Pick<GuardedRequest, 'headers' | 'maxBytes' | 'timeoutMs'> & {
  method?: 'GET' | 'HEAD'
}

const HOPS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
// The longest address that is followed; servers may send any length.
const URL_CHARS_MAX = 2_000

/**
 * Requests an address and follows at most three redirects; the guarded fetch checks each of them.
 * Never throws.
 */
export async function readAddress(
  outside: ProbeNetwork,
  url: string,
  question: ProbeRequest = {},
): Promise<ProbeReply> {
  let at = url
  for (let hop = 0; hop <= HOPS_MAX; hop++) {
    const answer: Fetched = await outside.fetch(at, { method: 'GET', ...question })
    if (answer.outcome !== 'answered') return { outcome: 'silent', why: answer.reason }
    const { status, headers, body, cut } = answer
    const next = REDIRECTS.has(status) ? headers.get('location') : null
    if (next === null) return { outcome: 'answered', url: at, status, headers, body, cut }
    const target = URL.parse(next, at)
    if (!target || target.href.length > URL_CHARS_MAX) {
      return { outcome: 'silent', why: 'It redirects to an invalid address.' }
    }
    target.hash = ''
    at = target.href
  }
  return { outcome: 'silent', why: `It redirects more than ${HOPS_MAX} times.` }
}

/** `text/html; charset=utf-8` → `text/html`. */
export function mediaTypeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Decodes a reply by its charset; as UTF-8 if that is missing or unknown. */
export function textOf({ headers, body }: { headers: Headers; body: Uint8Array }): string {
  const [, charset] = /charset\s*=\s*"?([\w-]{1,40})/i.exec(headers.get('content-type') ?? '') ?? []
  return decoder(charset ?? 'utf-8').decode(body)
}

function decoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset as 'utf-8')
  } catch {
    return new TextDecoder()
  }
}

// The address was removed or never existed.
const ABSENT = new Set([404, 410])

export function isAbsent(reply: ProbeReply): boolean {
  return reply.outcome === 'answered' && ABSENT.has(reply.status)
}

/** The result of requesting JSON of a known shape. */
export type JsonReply<T> =
  | { outcome: 'read'; value: T; headers: Headers; url: string }
  /** Unchanged (304). */
  | { outcome: 'unchanged'; headers: Headers }
  /** Missing (404, 410). */
  | { outcome: 'absent'; headers: Headers }
  /** Answered (200) with something else. */
  | { outcome: 'foreign'; why: string; headers: Headers }
  /** Anything else; nothing is known. `status` is there if there was an answer. */
  | { outcome: 'unread'; why: string; status?: number; headers?: Headers }

const JSON_TYPE = /^(application|text)\/([\w.+-]+\+)?json$/
const MAX_BYTES = 256 * 1024
const NOT_MODIFIED = 304

/**
 * Reads complete JSON with a JSON media type and the expected shape; anything else is not `read`.
 * Never throws.
 */
export async function readJsonAddress<S extends TSchema>(
  outside: ProbeNetwork,
  url: string,
  form: Shape<S>,
  question: ProbeRequest = {},
): Promise<JsonReply<Static<S>>> {
  const headers = { accept: 'application/json', ...question.headers }
  const reply = await readAddress(outside, url, { maxBytes: MAX_BYTES, ...question, headers })
  return readJson(reply, form)
}

function readJson<S extends TSchema>(reply: ProbeReply, form: Shape<S>): JsonReply<Static<S>> {
  if (reply.outcome === 'silent') return { outcome: 'unread', why: reply.why }
  const { status, headers, url } = reply
  if (status === NOT_MODIFIED) return { outcome: 'unchanged', headers }
  if (isAbsent(reply)) return { outcome: 'absent', headers }
  if (status !== 200) return { outcome: 'unread', why: `It answered ${status}.`, status, headers }
  if (reply.cut === 'broken') return { outcome: 'unread', why: 'It broke off.', status, headers }
  const foreign = (why: string) => ({ outcome: 'foreign', why, headers }) as const
  if (!JSON_TYPE.test(mediaTypeOf(headers))) return foreign('Its media type is not JSON.')
  if (reply.cut) return foreign('It is too long.')
  const value = parsed(textOf(reply))
  if (value === undefined) return foreign('It is not valid JSON.')
  if (form.wrong(value).length > 0) return foreign('Its JSON has an unknown shape.')
  return { outcome: 'read', value: value as Static<S>, headers, url }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Text from outside on one line, without control and direction characters. */
export function oneLine(text: string, most: number): string {
  return cutText(cleanLine(text), most).trim()
}

// RFC 3339, as registries and registrars write it; small letters are allowed.
const INSTANT =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,12})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** An RFC 3339 instant in milliseconds since 1970; undefined if the text is not one. */
export function instantOf(text: string): number | undefined {
  if (!INSTANT.test(text) || !isRealDay(text.slice(0, 10))) return undefined
  // JavaScript does not know leap seconds.
  const time = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  return Number.isNaN(time) ? undefined : time
}

function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const FIRST_DAY = Date.UTC(1980, 0, 1)
const LAST_DAY = Date.UTC(2200, 0, 1)
const DAY_MS = 24 * 3_600_000

/** The UTC day of an instant; undefined if it is not one, before 1980 (a zero) or after 2200. */
export function plausibleDay(text: unknown): string | undefined {
  const time = typeof text === 'string' ? instantOf(text) : undefined
  if (time === undefined || time < FIRST_DAY || time > LAST_DAY) return undefined
  return isoTime(time).slice(0, 10)
}

/**
 * The day of a past event; undefined if it is more than a day ahead of our clock, because then one
 * of the clocks is wrong.
 */
export function pastDay(text: unknown, now: number): string | undefined {
  const day = plausibleDay(text)
  return day !== undefined && Date.parse(day) <= now + DAY_MS ? day : undefined
}
