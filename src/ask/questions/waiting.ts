import type { Clock } from '../../platform/clock.ts'
import type { ChangeBus } from '../../platform/db/change-bus.ts'
import type { QuestionId } from '../../platform/ids.ts'

/** Why somebody got up: the question changed, the time is over, or the caller hung up. */
export type Woken = 'rung' | 'timeout' | 'hung_up' | 'closing'

/** A place taken before the first look, so that no answer slips between. */
export type Seat = Disposable & {
  /** Resolves at the next ring (or at once, when one came since the last call), or at the end. */
  next(): Promise<Woken>
  /** As `next`, and undefined when `other` resolves before that. */
  nextOr(other: Promise<unknown>): Promise<Woken | undefined>
}

export type Waiting = {
  /** Sits down for `id` until the instant `until`; aborting `signal` frees the seat. */
  sit(id: QuestionId, until: number, signal: AbortSignal): Seat
  /** How many sit here now. */
  occupied(): number
  /** Sends everyone home, and whoever comes later too: the server is closing. */
  close(): void
}

/** `collect` frees garbage; it is called while many sit down, never while they come and go. */
export function createWaiting(
  changes: ChangeBus,
  clock: Clock,
  collect: () => void = () => {},
): Waiting {
  const seats = new Set<TakenSeat>()
  const crowd = createCrowd(collect)
  const leave = (seat: TakenSeat) => {
    seats.delete(seat)
    crowd.shrank(seats.size)
  }
  let closing = false
  changes.onMissed(() => {
    for (const seat of seats) seat.wake('rung')
  })

  return {
    sit(id, until, signal) {
      const seat = new TakenSeat(signal, leave)
      seat.listen(changes, id, clock, until)
      seats.add(seat)
      crowd.grew(seats.size)
      if (signal.aborted) seat.wake('hung_up')
      if (closing) seat.wake('closing')
      return seat
    },
    occupied: () => seats.size,
    close() {
      closing = true
      for (const seat of seats) seat.wake('closing')
    },
  }
}

// So many more seats at once leave enough garbage behind to be worth a collection.
const CROWD_STEP = 250

/**
 * Collects while the room fills: the garbage of each request lies between what lives on, and left
 * alone it keeps the memory of thousands of held calls at a third more than they need.
 */
function createCrowd(collect: () => void) {
  let collectAt = CROWD_STEP
  return {
    grew(size: number) {
      if (size < collectAt) return
      collectAt = size + CROWD_STEP
      collect()
    },
    /** Only well below the last mark, so that coming and going around it collects nothing. */
    shrank(size: number) {
      if (size < collectAt - 2 * CROWD_STEP) collectAt = size + CROWD_STEP
    },
  }
}

/** Thousands sit at once, so a seat holds as little as it can: no closure that another could be. */
class TakenSeat implements Seat {
  private readonly signal: AbortSignal
  private readonly leave: (seat: TakenSeat) => void
  private reason: Woken | undefined
  private stand: ((woken: Woken | undefined) => void) | undefined
  private stopListening: (() => void) | undefined
  private offClock: (() => void) | undefined

  constructor(signal: AbortSignal, leave: (seat: TakenSeat) => void) {
    this.signal = signal
    this.leave = leave
    signal.addEventListener('abort', this, { once: true })
  }

  listen(changes: ChangeBus, id: QuestionId, clock: Clock, until: number): void {
    this.stopListening = changes.on('question', id, () => this.wake('rung'))
    this.offClock = clock.after(Math.max(0, until - clock.now()), () => this.wake('timeout'))
  }

  /** For the signal: it is its own listener. */
  handleEvent(): void {
    this.wake('hung_up')
  }

  // An end outweighs a ring: it is never forgotten, a ring is used up by the next look.
  wake(woken: Woken): void {
    if (this.reason === undefined || this.reason === 'rung') this.reason = woken
    this.stand?.(this.reason)
  }

  next(): Promise<Woken> {
    return this.upcoming() as Promise<Woken>
  }

  nextOr(other: Promise<unknown>): Promise<Woken | undefined> {
    const upcoming = this.upcoming()
    const { stand } = this
    if (stand) other.then(() => stand(undefined))
    return upcoming
  }

  private upcoming(): Promise<Woken | undefined> {
    const { reason } = this
    if (reason !== undefined) {
      if (reason === 'rung') this.reason = undefined
      return Promise.resolve(reason)
    }
    return new Promise((resolve) => {
      this.stand = (woken) => {
        this.stand = undefined
        if (woken === 'rung') this.reason = undefined
        resolve(woken)
      }
    })
  }

  [Symbol.dispose](): void {
    this.stopListening?.()
    this.offClock?.()
    this.signal.removeEventListener('abort', this)
    this.leave(this)
  }
}
