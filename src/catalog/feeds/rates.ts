import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import {
  createTokenBucket,
  inSeconds,
  networkOf,
  type RefillRate as Pace,
} from '../../platform/http/limits.ts'

/** How often one address may send requests, and the name of the limit in headers. */
export type RequestRate = Pace & { name: string }

/** Counts one request of an address, and returns the headers with the rest of its limit. */
export type RequestMeter = (address: string) => Record<string, string>

// Whole documents are ready in memory, so only a flood is slowed down.
export const DOCUMENTS: RequestRate = { name: 'documents', burst: 1_200, perMinute: 6_000 }
// A filtered list is computed for each request.
export const QUERIES: RequestRate = { name: 'queries', burst: 120, perMinute: 600 }

/**
 * A token bucket for each address, described by `RateLimit` and `RateLimit-Policy` headers. Throws
 * `rate_limited` when it is empty.
 */
export function createMeter(clock: Clock, rate: RequestRate): RequestMeter {
  const { name, burst, perMinute } = rate
  const count = createTokenBucket(clock, rate)
  const secondsFor = (tokens: number) => Math.ceil(tokens / (perMinute / 60_000) / 1_000)
  const policy = `"${name}";q=${burst};w=${secondsFor(burst)}`

  return (address) => {
    const { left: remaining, retryAfter } = count(networkOf(address))
    if (retryAfter === undefined) {
      const ratelimit = `"${name}";r=${Math.floor(remaining)};t=${secondsFor(burst - remaining)}`
      return { 'ratelimit-policy': policy, ratelimit }
    }
    throw new Failure(
      'rate_limited',
      `Too many requests from this address. Try again in ${inSeconds(retryAfter)}; whole documents may be kept, and asked for again with If-None-Match.`,
      { retryAfter },
    )
  }
}
