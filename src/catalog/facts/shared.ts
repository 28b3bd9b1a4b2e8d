/** The value found for a key, and when. */
type TimedValue<T> = { at: number; value: T }

/** Finds the value of a key once for all callers within a while. */
export type Shared<T> = (key: string, now: number, find: () => Promise<T>) => Promise<TimedValue<T>>

// A vendor that does not answer is asked again later, but not for each of its tools at once.
const KEEP_NOTHING_MS = 10 * 60_000
const KEYS_MAX = 5_000

/**
 * Tools of one vendor share a status page, domain and terms, which are read once for all of them.
 * `undefined` means that nothing was found, and is kept for ten minutes at most.
 */
export function createShared<T>(keepMs: number): Shared<T> {
  const cache = new Map<string, { at: number; keepMs: number; value: Promise<T> }>()

  return async (key, now, find) => {
    const existing = cache.get(key)
    // A clock that was set back must not prolong an entry.
    if (existing && Math.abs(now - existing.at) < existing.keepMs) {
      return { at: existing.at, value: await existing.value }
    }
    const entry = { at: now, keepMs, value: find() }
    cache.delete(key)
    cache.set(key, entry)
    if (cache.size > KEYS_MAX) forgetOldest(cache)
    const value = await entry.value
    if (value === undefined) entry.keepMs = Math.min(keepMs, KEEP_NOTHING_MS)
    return { at: now, value }
  }
}

function forgetOldest(cache: Map<string, unknown>) {
  const [oldest] = cache.keys()
  if (oldest !== undefined) cache.delete(oldest)
}
