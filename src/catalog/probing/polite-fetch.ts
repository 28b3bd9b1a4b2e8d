import { type Clock, pause } from '../../platform/clock.ts'
import type {
  Fetched,
  GuardedFetch,
  GuardedRequest,
} from '../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../platform/outgoing/reply.ts'
import { VERSION } from '../../platform/program.ts'
import type { Timed } from '../facts/fact.ts'
import { createRobotsCache } from './robots.ts'

/** The fetch of probes: see `ProbeNetwork`. */
export type PoliteFetch = {
  fetch(url: string, request?: GuardedRequest): Promise<Timed>
  /** When a host that asked for a pause may be asked again. */
  restsUntil(url: string): number | undefined
}

type PoliteFetchOptions = {
  /** The guarded fetch. */
  fetch: GuardedFetch['fetch']
  clock: Clock
  /** Public address of the catalog; its methodology page explains the requests. */
  baseUrl(): string
  /** Between two requests to a host; one second by default. */
  pauseMs?: number
  /** Aborts requests that are running or waiting. */
  signal?: AbortSignal
}

/** The name that a robots.txt may use. */
const AGENT_NAME = 'Beckon'
const PAUSE_MS = 1_000
const TIMEOUT_MOST_MS = 30_000
const BYTES_MOST = 4 * 1024 * 1024
// For a host that answers 429 without Retry-After.
const REST_MS = 60_000

const NOBODY_ASKED = { outcome: 'aborted', reason: 'The request was cancelled.' } as const
const RESTS = 'The host asked for a pause between requests.'
const UNWANTED = 'The robots.txt of the host does not allow this server to read the address.'

/**
 * The fetch that every measurement uses. It identifies itself, sends one request at a time to each
 * host with a pause between two, and follows Retry-After and robots.txt, which it reads once a day.
 * What robots.txt forbids is `blocked`. Never throws.
 */
export function createPoliteFetch(options: PoliteFetchOptions): PoliteFetch {
  const { clock, baseUrl, pauseMs = PAUSE_MS, signal } = options
  const queues = createHostQueues(clock, pauseMs, signal)
  const userAgent = () => `${AGENT_NAME}/${VERSION} (+${baseUrl()}/methodology#probes)`
  const robots = createRobotsCache(clock, AGENT_NAME, ask)

  async function ask(url: URL, request: GuardedRequest): Promise<Timed> {
    const answer = await queues.inTurn(url.host, async () => {
      if (signal?.aborted) return NOBODY_ASKED
      const since = performance.now()
      const fetched = await options.fetch(url.href, bounded(request, signal, userAgent()))
      rested(url.host, fetched)
      return { ...fetched, tookMs: Math.round(performance.now() - since) }
    })
    return answer ?? { outcome: 'blocked', reason: RESTS, host: 'pause' }
  }

  function rested(host: string, fetched: Fetched) {
    if (fetched.outcome !== 'answered') return
    const { status, headers } = fetched
    const retryAfter = readRetryAfter(headers.get('retry-after'), clock.now())
    if (status === 429) queues.rest(host, retryAfter ?? REST_MS)
    if (status === 503 && retryAfter !== undefined) queues.rest(host, retryAfter)
  }

  return {
    async fetch(text, request = {}) {
      const url = URL.parse(text)
      // The guarded fetch explains what is wrong with the address.
      const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
      if (!url || !isWeb) return await options.fetch(text, request)
      if (signal?.aborted) return NOBODY_ASKED
      const rules = await robots.of(url.origin)
      if (!rules.allows(url.pathname + url.search)) {
        return { outcome: 'blocked', reason: UNWANTED, host: 'robots' }
      }
      return await ask(url, request)
    },
    restsUntil: (text) => queues.restsUntil(URL.parse(text)?.host ?? ''),
  }
}

function bounded(
  request: GuardedRequest,
  signal: AbortSignal | undefined,
  userAgent: string,
): GuardedRequest {
  const { headers, timeoutMs, maxBytes, signal: own } = request
  const signals = [signal, own].filter((one) => one !== undefined)
  return {
    ...request,
    headers: { accept: '*/*', ...lowerCased(headers), 'user-agent': userAgent },
    ...(timeoutMs === undefined ? {} : { timeoutMs: Math.min(timeoutMs, TIMEOUT_MOST_MS) }),
    ...(maxBytes === undefined ? {} : { maxBytes: Math.min(maxBytes, BYTES_MOST) }),
    ...(signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}),
  }
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** One request at a time for each host, with a pause between two. */
type HostQueues = {
  /** Runs `job` when its turn comes; undefined while the host asks for a rest. */
  inTurn<T>(host: string, job: () => Promise<T>): Promise<T | undefined>
  /** Sends nothing to the host for this many milliseconds, at most a day. */
  rest(host: string, ms: number): void
  /** When a resting host may be asked again; undefined if it is not resting. */
  restsUntil(host: string): number | undefined
}

type HostQueue = { tail: Promise<void>; queued: number; freeAt: number; restUntil: number }

const REST_MOST_MS = 24 * 3_600_000
const HOSTS_MOST = 10_000

/** The clock runs in milliseconds; `signal` ends every pause. */
function createHostQueues(clock: Clock, pauseMs: number, signal?: AbortSignal): HostQueues {
  const queues = new Map<string, HostQueue>()

  function queueOf(host: string): HostQueue {
    const queue = queues.get(host)
    if (queue) return queue
    if (queues.size >= HOSTS_MOST) forgetIdle()
    const newQueue = { tail: Promise.resolve(), queued: 0, freeAt: 0, restUntil: 0 }
    queues.set(host, newQueue)
    return newQueue
  }

  function forgetIdle() {
    for (const [host, { queued, restUntil }] of queues) {
      if (queued === 0 && restUntil <= clock.now()) queues.delete(host)
    }
  }

  /** Milliseconds until then, at most `most` even if the clock was set back. */
  const untilThen = (then: number, most: number) => Math.min(then - clock.now(), most)

  return {
    async inTurn(host, job) {
      const queue = queueOf(host)
      const before = queue.tail
      const { promise, resolve } = Promise.withResolvers<void>()
      queue.tail = promise
      queue.queued++
      try {
        await before
        const wait = untilThen(queue.freeAt, pauseMs)
        if (wait > 0) await pause(clock, wait, signal)
        if (clock.now() < queue.restUntil) return undefined
        const done = await job()
        queue.freeAt = clock.now() + pauseMs
        return done
      } finally {
        queue.queued--
        resolve()
      }
    },
    rest(host, ms) {
      queueOf(host).restUntil = clock.now() + Math.min(ms, REST_MOST_MS)
    },
    restsUntil(host) {
      const queue = queues.get(host)
      if (!queue || queue.restUntil <= clock.now()) return undefined
      return clock.now() + untilThen(queue.restUntil, REST_MOST_MS)
    },
  }
}
