import ipaddr from 'ipaddr.js'
import type { Clock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'

/** How often something may happen for one key: `burst` at once, then `perMinute`. */
export type Rate = { burst: number; perMinute: number; sentence: string }

export type Bucket = {
  /** Counts one; throws `rate_limited` with its `retryAfter` when there were too many. */
  take(key: string): void
}

export type Limits = {
  /** Attempts to sign in, by client address. */
  signIn: Bucket
  /** Attempts to sign in to one account, by its e-mail address, wherever they come from. */
  account: Bucket
  /** Wrong tokens, by client address; a right one is never counted. */
  wrongToken: Bucket
  /** Calls over REST and MCP, by token. */
  token: Bucket
}

export const RATES = {
  // A person mistypes a few times; a guesser needs thousands.
  signIn: {
    burst: 10,
    perMinute: 10,
    sentence: 'Too many attempts to sign in from this address.',
  },
  // Many addresses together get no further than one; its owner still has a passkey and pairing.
  account: {
    burst: 20,
    perMinute: 5,
    sentence: 'Too many attempts to sign in as this person.',
  },
  // Tokens cannot be guessed; this keeps a wrong setup from hammering.
  wrongToken: {
    burst: 30,
    perMinute: 30,
    sentence: 'Too many calls with a wrong token from this address.',
  },
  // Far above any agent at work, and below what one that runs wild could do.
  token: { burst: 1_000, perMinute: 6_000, sentence: 'Too many calls with this token.' },
} as const satisfies Record<string, Rate>

export function createLimits(clock: Clock): Limits {
  return {
    signIn: byNetwork(createBucket(clock, RATES.signIn)),
    account: createBucket(clock, RATES.account),
    wrongToken: byNetwork(createBucket(clock, RATES.wrongToken)),
    token: createBucket(clock, RATES.token),
  }
}

/** Whoever has one IPv6 address has its whole /64: they count as one. */
function byNetwork(bucket: Bucket): Bucket {
  return { take: (address) => bucket.take(networkOf(address)) }
}

function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}

// A flood from many addresses must not fill the memory; the oldest key is forgotten first.
const KEYS_MAX = 10_000

/** A token bucket for each key. */
export function createBucket(clock: Clock, rate: Rate): Bucket {
  const { burst, perMinute, sentence } = rate
  const perMs = perMinute / 60_000
  const levels = new Map<string, { left: number; at: number }>()

  return {
    take(key) {
      const now = clock.now()
      const before = levels.get(key) ?? { left: burst, at: now }
      const left = Math.min(burst, before.left + Math.max(0, now - before.at) * perMs)
      levels.delete(key)
      levels.set(key, { left: left < 1 ? left : left - 1, at: now })
      if (levels.size > KEYS_MAX) forgetOldest(levels)
      if (left >= 1) return
      const retryAfter = Math.ceil((1 - left) / perMs / 1_000)
      const wait = `${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`
      throw new Failure('rate_limited', `${sentence} Try again in ${wait}.`, { retryAfter })
    },
  }
}

function forgetOldest(levels: Map<string, unknown>) {
  const [oldest] = levels.keys()
  if (oldest !== undefined) levels.delete(oldest)
}
