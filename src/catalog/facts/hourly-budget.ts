import { readRetryAfter } from '../../platform/outgoing/retry-after.ts'

/** How many requests may be made of a service that counts them by the hour. */
export type HourlyBudget = {
  /** Takes some of it; false: there is not enough left, ask later. */
  take(now: number, requests: number): boolean
  /** Reads what the service says of its own count. */
  learn(headers: Headers, status: number, now: number): void
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LIMITED = new Set([403, 429])

/**
 * `most` an hour of our own, and a rest until `X-RateLimit-Reset` once the service says that only
 * `reserve` or less remain, or that it has had enough. Whatever its clock says, a rest takes between
 * a minute and a little more than an hour.
 */
export function createHourlyBudget(most: number, reserve: number): HourlyBudget {
  let left = most
  let fullAgain = 0
  let restsUntil = 0

  function rest(now: number, ms: number) {
    restsUntil = now + Math.min(Math.max(ms, MINUTE_MS), HOUR_MS + MINUTE_MS)
  }

  return {
    take(now, requests) {
      if (now >= fullAgain || fullAgain > now + HOUR_MS) {
        left = most
        fullAgain = now + HOUR_MS
      }
      // A clock that was set back would rest for as long as it was.
      const rests = now < restsUntil && restsUntil <= now + HOUR_MS + MINUTE_MS
      if (rests || left < requests) return false
      left -= requests
      return true
    },
    learn(headers, status, now) {
      const remaining = countOf(headers.get('x-ratelimit-remaining'))
      const resets = countOf(headers.get('x-ratelimit-reset'))
      if (remaining !== undefined && remaining <= reserve) {
        rest(now, resets === undefined ? HOUR_MS : resets * 1_000 - now)
      } else if (LIMITED.has(status)) {
        rest(now, readRetryAfter(headers.get('retry-after'), now) ?? MINUTE_MS)
      }
    },
  }
}

function countOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
