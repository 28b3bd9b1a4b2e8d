import type { Clock } from '../../platform/clock.ts'
import { VERSION } from '../../platform/config/version.ts'
import type {
  Fetched,
  GuardedFetch,
  GuardedRequest,
} from '../../platform/outgoing/guarded-fetch.ts'
import { readRetryAfter } from '../../platform/outgoing/retry-after.ts'
import type { Timed } from '../facts/fact.ts'
import { pause } from './pause.ts'
import { EVERYTHING_ALLOWED, type Robots, readRobots } from './robots.ts'

/** Outgoing requests of a guest: see `Outside`. */
export type PoliteFetch = {
  fetch(url: string, request?: GuardedRequest): Promise<Timed>
  /** When a host that asked for rest may be asked again. */
  restsUntil(url: string): number | undefined
}

export type PoliteFetchOptions = {
  /** The guarded one. */
  fetch: GuardedFetch['fetch']
  clock: Clock
  /** Public address of the catalog whose methodology page says who asks. */
  baseUrl(): string
  /** Between two requests to a host; a second without it. */
  pauseMs?: number
  /** Ends everything that is under way or waits. */
  signal?: AbortSignal
}

/** The name that a robots.txt may use. */
const AGENT_NAME = 'Beckon'
const PAUSE_MS = 1_000
const TIMEOUT_MOST_MS = 30_000
const BYTES_MOST = 4 * 1024 * 1024
// For a host that refuses without saying for how long.
const REST_MS = 60_000

const ROBOTS_KEPT_MS = 24 * 3_600_000
// Where it could not be read; the rules of before hold meanwhile.
const ROBOTS_AGAIN_MS = 3_600_000
const ROBOTS_BYTES = 512 * 1024
const ROBOTS_REDIRECTS = 5
const ORIGINS_MOST = 10_000

const NOBODY_ASKED = { outcome: 'aborted', reason: 'The request was given up.' } as const
const RESTS = 'The host asked not to be asked for a while.'
const UNWANTED = 'The robots.txt of the host asks this server not to read the address.'

/**
 * The fetch that every measurement goes through: it names itself and a page about itself, has one
 * request in flight a host with a pause between two, keeps to Retry-After, and to robots.txt, which
 * it reads once a day. What may not be asked is `blocked`. Never throws.
 */
export function createPoliteFetch(options: PoliteFetchOptions): PoliteFetch {
  const { clock, baseUrl, pauseMs = PAUSE_MS, signal } = options
  const lanes = createHostLanes(clock, pauseMs, signal)
  const userAgent = () => `${AGENT_NAME}/${VERSION} (+${baseUrl()}/methodology#probes)`
  const known = new Map<string, { until: number; robots: Promise<Robots> }>()

  async function ask(url: URL, request: GuardedRequest): Promise<Timed> {
    const answer = await lanes.inTurn(url.host, async () => {
      if (signal?.aborted) return NOBODY_ASKED
      const since = performance.now()
      const fetched = await options.fetch(url.href, bounded(request, signal, userAgent()))
      rested(url.host, fetched)
      return { ...fetched, tookMs: Math.round(performance.now() - since) }
    })
    return answer ?? { outcome: 'blocked', reason: RESTS }
  }

  function rested(host: string, fetched: Fetched) {
    if (fetched.outcome !== 'answered') return
    const { status, headers } = fetched
    const asked = readRetryAfter(headers.get('retry-after'), clock.now())
    if (status === 429) lanes.rest(host, asked ?? REST_MS)
    if (status === 503 && asked !== undefined) lanes.rest(host, asked)
  }

  async function robotsOf(origin: string): Promise<Robots> {
    const now = clock.now()
    const kept = known.get(origin)
    // A clock that was set back keeps nothing longer than it would have been.
    if (kept && now < kept.until && kept.until - now <= ROBOTS_KEPT_MS) return kept.robots
    if (known.size >= ORIGINS_MOST) known.clear()
    const before = kept?.robots ?? Promise.resolve(EVERYTHING_ALLOWED)
    const entry = { until: now + ROBOTS_KEPT_MS, robots: before }
    entry.robots = readRobotsOf(origin).then((read) => {
      if (read) return read
      entry.until = now + ROBOTS_AGAIN_MS
      return before
    })
    known.set(origin, entry)
    return await entry.robots
  }

  /** Undefined when nobody can tell what it says. */
  async function readRobotsOf(origin: string): Promise<Robots | undefined> {
    let url = new URL('/robots.txt', origin)
    for (let n = 0; n <= ROBOTS_REDIRECTS; n++) {
      const fetched = await ask(url, { maxBytes: ROBOTS_BYTES })
      if (fetched.outcome !== 'answered') return undefined
      const { status, headers, body } = fetched
      if (status >= 200 && status < 300) {
        return readRobots(new TextDecoder().decode(body), AGENT_NAME)
      }
      const next = status < 400 ? URL.parse(headers.get('location') ?? '', url) : null
      if (!next) return status >= 500 || status === 429 ? undefined : EVERYTHING_ALLOWED
      url = next
    }
    return EVERYTHING_ALLOWED
  }

  return {
    async fetch(text, request = {}) {
      const url = URL.parse(text)
      // The guarded fetch says what is wrong with it.
      const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
      if (!url || !isWeb) return await options.fetch(text, request)
      if (signal?.aborted) return NOBODY_ASKED
      const robots = await robotsOf(url.origin)
      if (!robots.allows(url.pathname + url.search)) {
        return { outcome: 'blocked', reason: UNWANTED }
      }
      return await ask(url, request)
    },
    restsUntil: (text) => lanes.restsUntil(URL.parse(text)?.host ?? ''),
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

/** One request in flight a host, with a pause between two, and rest for a host that asks for it. */
type HostLanes = {
  /** Runs `job` when it is the turn of it; undefined when the host wants to be left alone. */
  inTurn<T>(host: string, job: () => Promise<T>): Promise<T | undefined>
  /** Nothing more for the host for so long. */
  rest(host: string, ms: number): void
  /** When a resting host may be asked again; undefined for one that is not resting. */
  restsUntil(host: string): number | undefined
}

type Lane = { tail: Promise<void>; queued: number; freeAt: number; restUntil: number }

// A host that asks for more is asked once a day all the same.
const REST_MOST_MS = 24 * 3_600_000
const LANES_MOST = 10_000

/** `signal` ends every pause. */
function createHostLanes(clock: Clock, pauseMs: number, signal?: AbortSignal): HostLanes {
  const lanes = new Map<string, Lane>()

  function laneOf(host: string): Lane {
    const lane = lanes.get(host)
    if (lane) return lane
    if (lanes.size >= LANES_MOST) forgetIdle()
    const made = { tail: Promise.resolve(), queued: 0, freeAt: 0, restUntil: 0 }
    lanes.set(host, made)
    return made
  }

  function forgetIdle() {
    for (const [host, { queued, restUntil }] of lanes) {
      if (queued === 0 && restUntil <= clock.now()) lanes.delete(host)
    }
  }

  /** Milliseconds until then; a clock that was set back makes nobody wait longer than `most`. */
  const untilThen = (then: number, most: number) => Math.min(then - clock.now(), most)

  return {
    async inTurn(host, job) {
      const lane = laneOf(host)
      const before = lane.tail
      const { promise, resolve } = Promise.withResolvers<void>()
      lane.tail = promise
      lane.queued++
      try {
        await before
        const wait = untilThen(lane.freeAt, pauseMs)
        if (wait > 0) await pause(clock, wait, signal)
        if (clock.now() < lane.restUntil) return undefined
        const done = await job()
        lane.freeAt = clock.now() + pauseMs
        return done
      } finally {
        lane.queued--
        resolve()
      }
    },
    rest(host, ms) {
      laneOf(host).restUntil = clock.now() + Math.min(ms, REST_MOST_MS)
    },
    restsUntil(host) {
      const lane = lanes.get(host)
      if (!lane || lane.restUntil <= clock.now()) return undefined
      return clock.now() + untilThen(lane.restUntil, REST_MOST_MS)
    },
  }
}
