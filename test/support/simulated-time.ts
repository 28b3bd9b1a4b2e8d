import type { Clock } from '../../src/platform/clock.ts'
import type { GuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'

/** Time that jumps to the next thing that waits, as soon as nothing is under way. */
export type SimulatedTime = {
  clock: Clock
  /** Counts what is under way of `fetch`. */
  watched(fetch: GuardedFetch['fetch']): GuardedFetch['fetch']
  /** Lets everything happen that happens until then. */
  runUntil(instant: number): Promise<void>
}

export function simulatedTime(start: number): SimulatedTime {
  const timers = new Set<{ at: number; wake: () => void }>()
  let now = start
  let underWay = 0

  async function quiet() {
    let still = 0
    while (still < 6) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      still = underWay > 0 ? 0 : still + 1
      if (underWay > 0) await Bun.sleep(1)
    }
  }

  return {
    clock: {
      now: () => now,
      elapsed: () => now,
      after(ms, wake) {
        const timer = { at: now + ms, wake }
        timers.add(timer)
        return () => timers.delete(timer)
      },
    },
    watched: (fetch) => async (url, request) => {
      underWay++
      try {
        return await fetch(url, request)
      } finally {
        underWay--
      }
    },
    async runUntil(instant) {
      for (;;) {
        await quiet()
        const [next] = [...timers].sort((a, b) => a.at - b.at)
        if (!next || next.at > instant) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.wake()
      }
      now = instant
    },
  }
}
