import type { Clock } from '../kernel/clock.ts'
import type { Sending } from './post.ts'
import type { DeliveryState, Reach } from './receipts.ts'
import { type Counted, type DeliveryRow, reachOf } from './store.ts'

/** Counts what becomes of the rows of one `send`, also when a later attempt decides it. */
export type Tally = Sending & {
  count(row: DeliveryRow, state: DeliveryState): void
}

/** What is kept of a row: its message and addresses are not, a question may wait for a minute. */
type Slot = Pick<DeliveryRow, 'id'> & Counted & { heard: boolean }

export function createTally(rows: readonly DeliveryRow[], clock: Clock): Tally {
  return new RowTally(rows.map(slotOf), clock)
}

function slotOf({ id, kind, state, message }: DeliveryRow): Slot {
  return { id, kind, state, message: { kind: message.kind }, heard: state !== 'waiting' }
}

class RowTally implements Tally {
  private readonly slots: readonly Slot[]
  private readonly clock: Clock
  private listeners: Array<() => void> = []

  constructor(slots: readonly Slot[], clock: Clock) {
    this.slots = slots
    this.clock = clock
  }

  reach(): Reach {
    return reachOf(this.slots)
  }

  count(row: DeliveryRow, state: DeliveryState): void {
    const slot = this.slots.find(({ id }) => id === row.id)
    if (slot) Object.assign(slot, { state, heard: true })
    if (!this.allHeard()) return
    const { listeners } = this
    this.listeners = []
    for (const wake of listeners) wake()
  }

  firstOutcomes(ms: number): Promise<Reach> {
    if (this.allHeard()) return Promise.resolve(this.reach())
    return new Promise((resolve) => {
      const done = () => {
        forget()
        resolve(this.reach())
      }
      const forget = this.clock.after(ms, done)
      this.listeners.push(done)
    })
  }

  private allHeard(): boolean {
    return this.slots.every(({ heard }) => heard)
  }
}
