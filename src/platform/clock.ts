/** Time as an argument: whatever needs to know or wait for the time is handed one of these. */
export type Clock = {
  /** The present, in milliseconds since 1970 (UTC). */
  now(): number
  /** Calls `wake` once after `ms` milliseconds; the returned function takes that back. */
  after(ms: number, wake: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}

/** An instant as the wire says it: ISO 8601 in UTC, ending in `Z`. */
export function isoTime(instant: number): string {
  return new Date(instant).toISOString()
}

/** Waits this many milliseconds, or until `signal` is aborted. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const forget = clock.after(ms, done)
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      forget()
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}
