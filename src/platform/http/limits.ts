import type { Clock } from '../clock.ts'
import { Failure } from '../failure.ts'
import { createTokenBucket, inSeconds, networkOf, type RefillRate as Pace } from './token-bucket.ts'

/** How often something may happen for one key, and the error for callers that are too fast. */
export type Rate = Pace & { sentence: string }

export type Bucket = {
  /** Counts one; throws `rate_limited` with its `retryAfter` when there were too many. */
  take(key: string): void
}

export type Limits = {
  /** Attempts to sign in, by client address. */
  signIn: Bucket
  /** Attempts to sign in to one account, by its e-mail address, wherever they come from. */
  account: Bucket
  /** Passkeys asked for, by client address: each challenge is written down. */
  challenge: Bucket
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
  // Enough for repeated taps, too few to fill the disk.
  challenge: {
    burst: 30,
    perMinute: 30,
    sentence: 'Passkeys were asked for too often from this address.',
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
    challenge: byNetwork(createBucket(clock, RATES.challenge)),
    wrongToken: byNetwork(createBucket(clock, RATES.wrongToken)),
    token: createBucket(clock, RATES.token),
  }
}

function byNetwork(bucket: Bucket): Bucket {
  return { take: (address) => bucket.take(networkOf(address)) }
}

/** A token bucket for each key. */
export function createBucket(clock: Clock, rate: Rate): Bucket {
  const count = createTokenBucket(clock, rate)
  return {
    take(key) {
      const { retryAfter } = count(key)
      if (retryAfter === undefined) return
      const sentence = `${rate.sentence} Try again in ${inSeconds(retryAfter)}.`
      throw new Failure('rate_limited', sentence, { retryAfter })
    },
  }
}
