import type { Clock } from '../../platform/clock.ts'
import type { Sending } from './post.ts'
import type { DeliveryState, Reach } from './receipts.ts'
import { type Counted, type DeliveryRow, reachOf } from './store.ts'

/** Counts what becomes of the rows of one `send`, also when a later attempt decides it. */
export type Tally = Sending & {
  /** One more outcome of the row that stands at `place` among those that were sent. */
  count(place: number, state: DeliveryState): void
}

/** What is kept of a row: its message and addresses are not, a question may wait for a minute. */
type Slot = Counted & { heard: boolean }

export function createTally(rows: readonly DeliveryRow[], clock: Clock): Tally {
  return new RowTally(rows.map(slotOf), clock)
}

function slotOf({ kind, state, message }: DeliveryRow): Slot {
  return { kind, state, message: { kind: message.kind }, heard: state !== 'waiting' }
}

class RowTally implements Tally {
  private readonly slots: readonly Slot[]
  private readonly clock: Clock
  private listeners: Array<() => void> = []
  /** Rows that have given no outcome yet. */
  private open: number

  constructor(slots: readonly Slot[], clock: Clock) {
    this.slots = slots
    this.clock = clock
    this.open = slots.filter(({ heard }) => !heard).length
  }

  reach(): Reach {
    return reachOf(this.slots)
  }

  count(place: number, state: DeliveryState): void {
    const slot = this.slots[place]
    if (!slot) return
    if (!slot.heard) this.open--
    slot.state = state
    slot.heard = true
    if (this.open > 0) return
    const { listeners } = this
    this.listeners = []
    for (const wake of listeners) wake()
  }

  firstOutcomes(ms: number): Promise<Reach> {
    if (this.open === 0) return Promise.resolve(this.reach())
    return new Promise((resolve) => {
      const done = () => {
        forget()
        resolve(this.reach())
      }
      const forget = this.clock.after(ms, done)
      this.listeners.push(done)
    })
  }
}
