import ipaddr from 'ipaddr.js'
import type { Clock } from '../../kernel/clock.ts'
import { CatalogProblem } from './problem.ts'

/** How often one address may ask: `burst` at once, then `perMinute`. */
export type Rate = { name: string; burst: number; perMinute: number }

/** Counts one request of an address: the headers that say what is left of it. */
export type Meter = (address: string) => Record<string, string>

// Whole documents are ready in memory: only who asks without end is slowed down.
export const DOCUMENTS: Rate = { name: 'documents', burst: 1_200, perMinute: 6_000 }
// A filtered list is worked out for the one who asks.
export const QUERIES: Rate = { name: 'queries', burst: 120, perMinute: 600 }

// A flood from many addresses must not fill the memory; the oldest is forgotten first.
const ADDRESSES_MAX = 10_000

/**
 * A token bucket for each address, told in `RateLimit` and `RateLimit-Policy` headers. Throws
 * `rate_limited` when an address has used up its own.
 */
export function createMeter(clock: Clock, { name, burst, perMinute }: Rate): Meter {
  const perMs = perMinute / 60_000
  const levels = new Map<string, { left: number; at: number }>()
  const policy = `"${name}";q=${burst};w=${Math.ceil(burst / perMs / 1_000)}`

  return (address) => {
    const key = networkOf(address)
    const now = clock.now()
    const before = levels.get(key) ?? { left: burst, at: now }
    const left = Math.min(burst, before.left + Math.max(0, now - before.at) * perMs)
    levels.delete(key)
    levels.set(key, { left: left < 1 ? left : left - 1, at: now })
    if (levels.size > ADDRESSES_MAX) forgetOldest(levels)
    if (left >= 1) {
      const refill = Math.ceil((burst - left + 1) / perMs / 1_000)
      return {
        'ratelimit-policy': policy,
        ratelimit: `"${name}";r=${Math.floor(left - 1)};t=${refill}`,
      }
    }
    const retryAfter = Math.max(1, Math.ceil((1 - left) / perMs / 1_000))
    throw new CatalogProblem(
      'rate_limited',
      `Too many requests from this address. Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}; whole documents may be kept, and asked for again with If-None-Match.`,
      { retryAfter },
    )
  }
}

/** Whoever has one IPv6 address has its whole /64: they count as one. */
function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}

function forgetOldest(levels: Map<string, unknown>) {
  const [oldest] = levels.keys()
  if (oldest !== undefined) levels.delete(oldest)
}
