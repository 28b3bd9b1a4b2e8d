/** Time as an argument: any code that reads the time or waits gets one of these. */
export type Clock = {
  /** The current time, in milliseconds since 1970 (UTC). */
  now(): number
  /** Milliseconds since some moment, by a counter that nobody sets; only differences mean something. */
  elapsed(): number
  /** Calls `wake` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, wake: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms)
    return () => clearTimeout(timer)
  },
}

/** An instant in the format of the wire: ISO 8601 in UTC, ending in `Z`. */
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

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it is aborted. For work
 * that ignores signals, such as Bun's DNS lookups and some reads.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
