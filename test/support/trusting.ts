import type { Clock } from '../../src/platform/clock.ts'
import type { AgreedTime } from '../../src/platform/db/agreed-time.ts'

/** Believes the clock, whatever it says. */
export function trusting(clock: Pick<Clock, 'now'>): AgreedTime {
  return { read: async () => clock.now() }
}
