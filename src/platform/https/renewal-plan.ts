import type { Attempts, KeptCertificate, Validity } from './certificate-files.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

// Let's Encrypt allows five failed validations of a name an hour; these pauses stay below that.
const PAUSES_MS = [2, 10, 30, 60, 180].map((minutes) => minutes * MINUTE_MS)
const PAUSE_MAX_MS = 6 * HOUR_MS
// The longest window of any public authority's limits is a week.
const TOLD_PAUSE_MAX_MS = 8 * DAY_MS

/**
 * How long after attempt `count` (from 1) the next one may begin, unless the authority set a time.
 */
export function pauseAfter(count: number, retryAfterMs = 0): number {
  const own = PAUSES_MS[count - 1] ?? PAUSE_MAX_MS
  return Math.max(own, Math.min(retryAfterMs, TOLD_PAUSE_MAX_MS))
}

/** Milliseconds until the next attempt may begin; 0 if it may begin now. */
export function pauseLeft({ notBefore, decidedAt }: Attempts, now: number): number {
  // If the decision lies in the future, the clock was put back, and the pause counts from now.
  const until = decidedAt > now ? now + (notBefore - decidedAt) : notBefore
  return Math.max(0, until - now)
}

/**
 * When a certificate should be renewed: after two thirds of its life. One that has just arrived is
 * not requested again, even if a wrong clock makes it look old.
 */
export function renewAt(
  { from, until }: Validity,
  { obtainedAt }: Pick<KeptCertificate, 'obtainedAt'>,
  now: number,
): number {
  const life = until - from
  const planned = from + (life * 2) / 3
  const rest = Math.min(DAY_MS, life / 3)
  const isFresh = obtainedAt <= now && now < obtainedAt + rest
  return isFresh ? Math.max(planned, obtainedAt + rest) : planned
}

/** Returns true if a certificate matches the settings. */
export function isFor(
  { directory, names }: Pick<KeptCertificate, 'directory' | 'names'>,
  config: { directory: string; domains: readonly string[] },
): boolean {
  return directory === config.directory && names.join() === config.domains.join()
}
