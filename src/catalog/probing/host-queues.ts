import { type Clock, pause } from '../../platform/clock.ts'

/** One request at a time for each host, with a pause between two. */
export type HostQueues = {
  /** Runs `job` when its turn comes; undefined while the host asks for a rest. */
  inTurn<T>(host: string, job: () => Promise<T>): Promise<T | undefined>
  /** Sends nothing to the host for this many milliseconds, at most a day. */
  rest(host: string, ms: number): void
  /** When a resting host may be asked again; undefined if it is not resting. */
  restsUntil(host: string): number | undefined
}

type HostQueue = { tail: Promise<void>; queued: number; freeAt: number; restUntil: number }

const REST_MOST_MS = 24 * 3_600_000
const HOSTS_MOST = 10_000

/** The clock runs in milliseconds; `signal` ends every pause. */
export function createHostQueues(clock: Clock, pauseMs: number, signal?: AbortSignal): HostQueues {
  const queues = new Map<string, HostQueue>()

  function queueOf(host: string): HostQueue {
    const queue = queues.get(host)
    if (queue) return queue
    if (queues.size >= HOSTS_MOST) forgetIdle()
    const made = { tail: Promise.resolve(), queued: 0, freeAt: 0, restUntil: 0 }
    queues.set(host, made)
    return made
  }

  function forgetIdle() {
    for (const [host, { queued, restUntil }] of queues) {
      if (queued === 0 && restUntil <= clock.now()) queues.delete(host)
    }
  }

  /** Milliseconds until then, at most `most` even if the clock was set back. */
  const untilThen = (then: number, most: number) => Math.min(then - clock.now(), most)

  return {
    async inTurn(host, job) {
      const queue = queueOf(host)
      const before = queue.tail
      const { promise, resolve } = Promise.withResolvers<void>()
      queue.tail = promise
      queue.queued++
      try {
        await before
        const wait = untilThen(queue.freeAt, pauseMs)
        if (wait > 0) await pause(clock, wait, signal)
        if (clock.now() < queue.restUntil) return undefined
        const done = await job()
        queue.freeAt = clock.now() + pauseMs
        return done
      } finally {
        queue.queued--
        resolve()
      }
    },
    rest(host, ms) {
      queueOf(host).restUntil = clock.now() + Math.min(ms, REST_MOST_MS)
    },
    restsUntil(host) {
      const queue = queues.get(host)
      if (!queue || queue.restUntil <= clock.now()) return undefined
      return clock.now() + untilThen(queue.restUntil, REST_MOST_MS)
    },
  }
}
