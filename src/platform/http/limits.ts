import ipaddr from 'ipaddr.js'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { takeFromLimit } from '../db/rate-limit-store.ts'
import { Failure } from '../failure.ts'
import { sha256 } from '../signing/sha256.ts'

/** How often something may happen for one key, and the error for callers that are too fast. */
export type Rate = RefillRate & { sentence: string }

export type Bucket = {
  /**
   * Counts one, or as many as `count` says; throws `rate_limited` with its `retryAfter` if there were
   * too many.
   */
  take(key: string, count?: number): void
}

/** A bucket that all processes on the database share; it outlives a restart. */
type SharedBucket = {
  /** As `Bucket.take`; throws `unavailable` if an attempt cannot be recorded. */
  take(key: string): Promise<void>
}

/**
 * Limits that protect guessable secrets are counted in the database, once for all processes. The
 * others only slow down a flood, and each process counts for itself.
 */
export type Limits = {
  /** Attempts to sign in, by client address. */
  signIn: SharedBucket
  /** Attempts to sign in to one account, by its e-mail address, wherever they come from. */
  account: SharedBucket
  /** Requests for passkey challenges, by client address: each challenge is stored. */
  challenge: Bucket
  /** Wrong tokens, by client address; a right one is never counted. */
  wrongToken: Bucket
  /** Calls over REST and MCP, by token. */
  token: Bucket
}

export const RATES = {
  // A person mistypes a few times; guessing needs thousands of attempts.
  signIn: {
    burst: 10,
    perMinute: 10,
    sentence: 'Too many attempts to sign in from this address.',
  },
  // Many addresses together can try no more than one; the account's owner still has a passkey and
  // pairing.
  account: {
    burst: 20,
    perMinute: 5,
    sentence: 'Too many attempts to sign in as this person.',
  },
  // Enough for repeated taps, but too few to fill the disk.
  challenge: {
    burst: 30,
    perMinute: 30,
    sentence: 'Passkeys were asked for too often from this address.',
  },
  // Tokens cannot be guessed; this stops a wrong setup from hammering.
  wrongToken: {
    burst: 30,
    perMinute: 30,
    sentence: 'Too many calls with a wrong token from this address.',
  },
  // Far above any agent at work, but below what an agent out of control could send.
  token: { burst: 1_000, perMinute: 6_000, sentence: 'Too many calls with this token.' },
} as const satisfies Record<string, Rate>

export function createLimits(deps: { db: Pick<Db, 'write'>; clock: Clock }): Limits {
  const { clock } = deps
  const signIn = createSharedBucket(deps, 'sign_in', RATES.signIn)
  return {
    signIn: { take: (address) => signIn.take(networkOf(address)) },
    account: createSharedBucket(deps, 'account', RATES.account),
    challenge: byNetwork(createBucket(clock, RATES.challenge)),
    wrongToken: byNetwork(createBucket(clock, RATES.wrongToken)),
    token: createBucket(clock, RATES.token),
  }
}

function byNetwork(bucket: Bucket): Bucket {
  return { take: (address, count) => bucket.take(networkOf(address), count) }
}

/** A token bucket for each key. */
export function createBucket(clock: Clock, rate: Rate): Bucket {
  const count = createTokenBucket(clock, rate)
  return {
    take(key, times) {
      const { retryAfter } = count(key, times)
      if (retryAfter !== undefined) throw tooMany(rate, retryAfter)
    },
  }
}

// For this many keys a refusal is remembered, so that hammering writes nothing.
const REFUSED_MAX = 1_000

/** A token bucket for each key, in the database; `name` keeps limits with the same keys apart. */
export function createSharedBucket(
  { db, clock }: { db: Pick<Db, 'write'>; clock: Clock },
  name: string,
  rate: Rate,
): SharedBucket {
  const refusedUntil = new Map<string, number>()
  const refuse = (until: number, now: number) =>
    tooMany(rate, Math.max(1, Math.ceil((until - now) / 1_000)))

  return {
    async take(client) {
      const now = clock.now()
      const key = `${name}:${sha256(client)}`
      const blockedUntil = refusedUntil.get(key) ?? 0
      if (blockedUntil > now) throw refuse(blockedUntil, now)
      refusedUntil.delete(key)
      const until = await db.write((tx) => takeFromLimit(tx, key, rate, now))
      if (until === undefined) return
      if (refusedUntil.size >= REFUSED_MAX) refusedUntil.clear()
      refusedUntil.set(key, until)
      throw refuse(until, now)
    },
  }
}

function tooMany({ sentence }: Rate, retryAfter: number): Failure {
  const words = `${sentence} Try again in ${inSeconds(retryAfter)}.`
  return new Failure('rate_limited', words, { retryAfter })
}

/** How often something may happen for one key: `burst` at once, then `perMinute`. */
export type RefillRate = { burst: number; perMinute: number }

/**
 * The result of counting one more: `left` includes it; with `retryAfter` (seconds) it was one too
 * many.
 */
type TakeResult = { left: number; retryAfter?: number }

// A flood of keys must not fill the memory, so the oldest keys that were not refused are forgotten:
// then a flood cannot make the server forget a caller that it refuses. Many at once, since each
// scan takes time.
const KEYS_MAX = 10_000
const LOOKED_AT = 1_000

/** A token bucket for each key; the returned function counts one and reports the result. */
export function createTokenBucket(
  clock: Clock,
  { burst, perMinute }: RefillRate,
): (key: string, count?: number) => TakeResult {
  const perMs = perMinute / 60_000
  const levels = new Map<string, Level>()
  const levelAt = (now: number, { left, at }: Level) =>
    Math.min(burst, left + Math.max(0, now - at) * perMs)

  return (key, count = 1) => {
    const now = clock.now()
    const level = levelAt(now, levels.get(key) ?? { left: burst, at: now })
    const left = level < count ? level : level - count
    levels.delete(key)
    levels.set(key, { left, at: now })
    if (levels.size > KEYS_MAX) forgetSome(levels, (one) => levelAt(now, one) < 1)
    if (level >= count) return { left }
    return { left, retryAfter: Math.max(1, Math.ceil((count - level) / perMs / 1_000)) }
  }
}

/** An IPv6 caller usually owns a whole /64, so its addresses count as one. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}

/** For a sentence: `1 second`, `12 seconds`. */
export function inSeconds(seconds: number): string {
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}

type Level = { left: number; at: number }

function forgetSome(levels: Map<string, Level>, isRefused: (one: Level) => boolean) {
  const oldest = [...levels.entries().take(LOOKED_AT)]
  const idle = oldest.filter(([, one]) => !isRefused(one))
  for (const [key] of idle.length > 0 ? idle : oldest) levels.delete(key)
}
