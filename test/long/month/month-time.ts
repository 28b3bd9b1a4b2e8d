import type { Clock } from '../../../src/platform/clock.ts'
import type { GuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
// The loops of the scheduler: rounds, other measurements, and forgetting.
const LOOPS = 3
// The lease of the scheduler is renewed as often while a loop is at work.
const RENEWAL = 2 * MINUTE

type Timer = { at: number; wake: () => void; is: 'loop' | 'renewal' | 'pause' }

/** Simulated time for the scheduler of probes, a month at a time. */
export type MonthTime = {
  clock: Clock
  /** In place of the minute between two looks at what is due: most of them find nothing. */
  lookEveryMs: number
  /** Counts what is under way of `fetch`. */
  watched(fetch: GuardedFetch['fetch']): GuardedFetch['fetch']
  /** Lets everything happen that happens until then. */
  runUntil(instant: number): Promise<void>
}

/**
 * Time that jumps to the next thing that waits. It never jumps to the next turn of a loop while
 * another loop is at work, so that no turn is lost, however slow the machine is.
 */
export function monthTime(start: number): MonthTime {
  const timers = new Set<Timer>()
  let now = start
  let underWay = 0

  async function quiet() {
    for (let still = 0; still < 6; ) {
      await new Promise<void>((resolve) => setImmediate(resolve))
      still = underWay > 0 ? 0 : still + 1
      if (underWay > 0) await Bun.sleep(1)
    }
  }

  // One that is not among the timers works, or waits with a timer of its own.
  const isAtWork = () => {
    const waiting = [...timers].filter(({ is }) => is !== 'renewal')
    return waiting.every(({ is }) => is === 'loop') && waiting.length < LOOPS
  }
  const soonest = () => [...timers].reduce((a, b) => (b.at < a.at ? b : a), LATER)

  const time: MonthTime = {
    lookEveryMs: MINUTE,
    clock: {
      now: () => now,
      elapsed: () => now,
      after(ms, wake) {
        const timer = { at: now + (ms === MINUTE ? time.lookEveryMs : ms), wake, is: kindOf(ms) }
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
        const next = soonest()
        const isOver = next.at > instant
        if (next.at > now && isAtWork()) {
          await Bun.sleep(1)
          continue
        }
        if (isOver) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.wake()
      }
      now = instant
    },
  }
  return time
}

function kindOf(ms: number): Timer['is'] {
  if (ms === RENEWAL) return 'renewal'
  return ms === MINUTE || ms === HOUR ? 'loop' : 'pause'
}

const LATER: Timer = { at: Number.POSITIVE_INFINITY, wake() {}, is: 'pause' }
