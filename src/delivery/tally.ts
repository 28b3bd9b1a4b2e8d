import type { Clock } from '../kernel/clock.ts'
import type { Sending } from './post.ts'
import type { DeliveryState, Reach } from './receipts.ts'
import { type DeliveryRow, reachOf } from './store.ts'

/** Counts what becomes of the rows of one `send`, also when a later attempt decides it. */
export type Tally = Sending & {
  count(row: DeliveryRow, state: DeliveryState): void
}

export function createTally(rows: readonly DeliveryRow[], clock: Clock): Tally {
  const states = new Map(rows.map((row) => [row.id, row.state]))
  const silent = new Set(states.keys())
  const listeners = new Set<() => void>()
  const now = () => reachOf(rows.map((row) => ({ ...row, state: states.get(row.id) ?? row.state })))

  return {
    reach: now,
    count(row, state) {
      states.set(row.id, state)
      silent.delete(row.id)
      if (silent.size > 0) return
      for (const wake of listeners) wake()
    },
    firstOutcomes(ms) {
      if (silent.size === 0) return Promise.resolve(now())
      return new Promise<Reach>((resolve) => {
        const done = () => {
          listeners.delete(done)
          forget()
          resolve(now())
        }
        const forget = clock.after(ms, done)
        listeners.add(done)
      })
    },
  }
}
