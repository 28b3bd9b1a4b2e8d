/** What was found for a key, and when. */
type Found<T> = { at: number; value: T }

/** Finds what belongs to a key once for all who ask within a while. */
export type Shared<T> = (key: string, now: number, find: () => Promise<T>) => Promise<Found<T>>

// A vendor that does not answer is asked again for the next tool, but not for each of them at once.
const KEEP_NOTHING_MS = 10 * 60_000
const KEYS_MAX = 5_000

/**
 * Tools of one vendor have the same status page, domain and terms: it is asked once for all of
 * them. `undefined` stands for nothing found, and is kept for ten minutes at most.
 */
export function createShared<T>(keepMs: number): Shared<T> {
  const kept = new Map<string, { at: number; keepMs: number; value: Promise<T> }>()

  return async (key, now, find) => {
    const known = kept.get(key)
    // A clock that was set back must not keep anything for long.
    if (known && Math.abs(now - known.at) < known.keepMs) {
      return { at: known.at, value: await known.value }
    }
    const entry = { at: now, keepMs, value: find() }
    kept.delete(key)
    kept.set(key, entry)
    if (kept.size > KEYS_MAX) forgetOldest(kept)
    const value = await entry.value
    if (value === undefined) entry.keepMs = Math.min(keepMs, KEEP_NOTHING_MS)
    return { at: now, value }
  }
}

function forgetOldest(kept: Map<string, unknown>) {
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
