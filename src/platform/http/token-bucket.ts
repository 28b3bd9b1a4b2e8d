import ipaddr from 'ipaddr.js'
import type { Clock } from '../clock.ts'

/** How often something may happen for one key: `burst` at once, then `perMinute`. */
export type RefillRate = { burst: number; perMinute: number }

/**
 * The result of counting one more: `left` includes it; with `retryAfter` (seconds) it was one too
 * many.
 */
export type Taken = { left: number; retryAfter?: number }

// A flood of keys must not fill the memory, so the oldest keys that were not refused are forgotten:
// then a flood cannot make the server forget a caller that it refuses. Many at once, since each
// scan takes time.
const KEYS_MAX = 10_000
const LOOKED_AT = 1_000

/** A token bucket for each key; the returned function counts one and reports the result. */
export function createTokenBucket(
  clock: Clock,
  { burst, perMinute }: RefillRate,
): (key: string) => Taken {
  const perMs = perMinute / 60_000
  const levels = new Map<string, Level>()
  const levelAt = (now: number, { left, at }: Level) =>
    Math.min(burst, left + Math.max(0, now - at) * perMs)

  return (key) => {
    const now = clock.now()
    const level = levelAt(now, levels.get(key) ?? { left: burst, at: now })
    const left = level < 1 ? level : level - 1
    levels.delete(key)
    levels.set(key, { left, at: now })
    if (levels.size > KEYS_MAX) forgetSome(levels, (one) => levelAt(now, one) < 1)
    if (level >= 1) return { left }
    return { left, retryAfter: Math.max(1, Math.ceil((1 - level) / perMs / 1_000)) }
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
