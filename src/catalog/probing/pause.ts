import type { Clock } from '../../platform/clock.ts'

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

/** Runs `work` for each, at most `width` at a time, until all are done or `signal` is aborted. */
export async function forEachLimited<T>(
  all: Iterable<T>,
  width: number,
  work: (one: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = [...all]
  const lane = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      if (signal?.aborted) return
      await work(one)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, queue.length) }, lane))
}
