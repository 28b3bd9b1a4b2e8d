import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import {
  createTokenBucket,
  inSeconds,
  networkOf,
  type Rate as Pace,
} from '../../platform/http/token-bucket.ts'

/** How often one address may ask, and what its headers call it. */
export type RequestRate = Pace & { name: string }

/** Counts one request of an address: the headers that say what is left of it. */
export type RequestMeter = (address: string) => Record<string, string>

// Whole documents are ready in memory: only who asks without end is slowed down.
export const DOCUMENTS: RequestRate = { name: 'documents', burst: 1_200, perMinute: 6_000 }
// A filtered list is worked out for the one who asks.
export const QUERIES: RequestRate = { name: 'queries', burst: 120, perMinute: 600 }

/**
 * A token bucket for each address, told in `RateLimit` and `RateLimit-Policy` headers. Throws
 * `rate_limited` when an address has used up its own.
 */
export function createMeter(clock: Clock, rate: RequestRate): RequestMeter {
  const { name, burst, perMinute } = rate
  const count = createTokenBucket(clock, rate)
  const secondsFor = (tokens: number) => Math.ceil(tokens / (perMinute / 60_000) / 1_000)
  const policy = `"${name}";q=${burst};w=${secondsFor(burst)}`

  return (address) => {
    const { left, retryAfter } = count(networkOf(address))
    if (retryAfter === undefined) {
      const ratelimit = `"${name}";r=${Math.floor(left)};t=${secondsFor(burst - left)}`
      return { 'ratelimit-policy': policy, ratelimit }
    }
    throw new Failure(
      'rate_limited',
      `Too many requests from this address. Try again in ${inSeconds(retryAfter)}; whole documents may be kept, and asked for again with If-None-Match.`,
      { retryAfter },
    )
  }
}
