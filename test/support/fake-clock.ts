import type { Clock } from '../../src/platform/clock.ts'
import { quiet } from './test-database.ts'

export type FakeClock = Clock & {
  /** Moves the present on and wakes, in order, all that is due; lets promises settle between. */
  advance(ms: number): Promise<void>
  /** Sets the time, as a person does: nothing has passed. */
  jump(ms: number): void
  /** Timers that have not gone off. */
  pending(): number
}

/** A clock that only moves when told. */
export function fakeClock(start = Date.UTC(2026, 0, 31, 12)): FakeClock {
  let now = start
  let ahead = 0
  const timers = new Set<{ at: number; wake: () => void }>()

  function nextDue(until: number) {
    const due = [...timers].filter((timer) => timer.at <= until)
    return due.sort((a, b) => a.at - b.at)[0]
  }

  return {
    now: () => now + ahead,
    elapsed: () => now,
    jump(ms) {
      ahead += ms
    },
    after(ms, wake) {
      const timer = { at: now + ms, wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const until = now + ms
      await settle()
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.wake()
        await settle()
      }
      now = until
      await settle()
    },
    pending: () => timers.size,
  }
}

/** Lets pending promises and group commits happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise<void>((resolve) => setImmediate(resolve))
  await quiet()
}
