import { type Clock, pause } from '../../platform/clock.ts'
import { readJsonObject } from '../../platform/json.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { reasonOf } from '../../platform/outgoing/reason.ts'
import { readRetryAfter } from '../../platform/outgoing/reply.ts'
import { VERSION } from '../../platform/program.ts'
import { cleanLine, cutText, visibleText } from '../../platform/text.ts'

/** The source of a mirror; one request at a time. */
export type Origin = {
  get(path: string, how: HowToGet): Promise<Got>
  /** The totals so far. */
  spent: { requests: number; bytes: number }
}

type HowToGet = {
  maxBytes: number
  etag?: string
  /** Takes the body piece by piece; the result has none then. For a body larger than memory. */
  take?: (piece: Uint8Array) => Promise<void>
}

type Got =
  | { outcome: 'body'; bytes: Uint8Array; etag: string }
  | { outcome: 'unchanged' }
  /** Nothing is at this address. */
  | { outcome: 'missing' }
  /** The body is longer than `maxBytes`. */
  | { outcome: 'long' }
  /** Also returns the part of a body that was received before it broke off. */
  | { outcome: 'unreachable'; why: string; bytes?: Uint8Array }

export type OriginDeps = {
  fetch: GuardedFetch['fetch']
  clock: Clock
  /** The user agent, for the log of the source. */
  userAgent: string
  signal?: AbortSignal
  /** Called before each pause that the source asked for. */
  onWait?(wait: Waiting): void
}

/** A pause in milliseconds, how long all took so far, and the reason that the source gives. */
export type Waiting = { path: string; ms: number; waitedMs: number; reason: string }

// For a large file on a slow line; the guarded fetch gives up earlier.
const TIMEOUT_MS = 120_000
// For an archive of everything.
const TAKING_MS = 60 * 60_000
const BUSY = new Set([429, 503])
// A source that asks for a longer pause counts as unreachable until the next sync.
const WAIT_MOST_MS = 60_000
// The source of a large catalog needs minutes for its first manifest, and answers 503 meanwhile.
const WAITING_MOST_MS = 60 * 60_000
const TRIES_MAX = 3
const REASON_MOST = 200

export function originAt(source: string, deps: OriginDeps): Origin {
  const { fetch, clock, userAgent, signal, onWait } = deps
  const usage = { requests: 0, bytes: 0 }

  async function once(path: string, { maxBytes, etag, take }: HowToGet) {
    usage.requests++
    return await fetch(`${source}${path}`, {
      headers: { 'user-agent': userAgent, ...(etag ? { 'if-none-match': etag } : {}) },
      maxBytes,
      timeoutMs: take ? TAKING_MS : TIMEOUT_MS,
      ...(take ? { take: counting(take) } : {}),
      ...(signal ? { signal } : {}),
    })
  }

  function counting(take: NonNullable<HowToGet['take']>) {
    return async (piece: Uint8Array) => {
      usage.bytes += piece.length
      await take(piece)
    }
  }

  return {
    spent: usage,
    async get(path, how) {
      const { etag } = how
      let waitedMs = 0
      for (let n = 1; ; n++) {
        const fetched = await once(path, how)
        if (fetched.outcome !== 'answered') return unreachable(`${source}: ${reasonOf(fetched)}`)
        const { status, headers, body, cut } = fetched
        usage.bytes += body.length
        const ms = pauseOf(fetched, clock.now())
        const mayWait = n < TRIES_MAX || (status === 503 && waitedMs < WAITING_MOST_MS)
        if (ms !== undefined && mayWait) {
          onWait?.({ path, ms, waitedMs, reason: reasonIn(body) })
          await pause(clock, ms, signal)
          waitedMs += ms
          continue
        }
        if (status === 304 && etag) return { outcome: 'unchanged' }
        if (status === 404 || status === 410) return { outcome: 'missing' }
        if (status !== 200) return unreachable(sayStatus(source, path, status, headers))
        if (cut === 'long') return { outcome: 'long' }
        if (cut) {
          const why = `${source}${path} broke off after ${body.length} bytes.`
          return { outcome: 'unreachable', why, bytes: body }
        }
        return { outcome: 'body', bytes: body, etag: headers.get('etag') ?? '' }
      }
    },
  }
}

/** The pause that a busy source asks for, in milliseconds; undefined if that is not worth it. */
function pauseOf({ status, headers }: { status: number; headers: Headers }, now: number) {
  const ms = BUSY.has(status) ? readRetryAfter(headers.get('retry-after'), now) : undefined
  return ms !== undefined && ms <= WAIT_MOST_MS ? ms : undefined
}

/** The detail of a problem document (RFC 9457); empty without one. */
function reasonIn(body: Uint8Array): string {
  const { detail } = readJsonObject(body) ?? {}
  return typeof detail === 'string' ? visibleText(cutText(cleanLine(detail), REASON_MOST)) : ''
}

function unreachable(why: string): Got {
  return { outcome: 'unreachable', why }
}

function sayStatus(source: string, path: string, status: number, headers: Headers): string {
  const to = status >= 300 && status < 400 ? headers.get('location') : null
  const leads = to ? ` and redirects to ${to.slice(0, 200)}; name that address instead` : ''
  return `${source}${path} answers ${status}${leads}.`
}

/** The user agent: who asks, and where to learn more. */
export function mirrorAgent(baseUrl: string): string {
  return `Beckon/${VERSION} (mirror; +${baseUrl})`
}
