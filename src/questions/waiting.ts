import type { Bell } from '../db/bell.ts'
import type { Clock } from '../kernel/clock.ts'
import type { QuestionId } from '../kernel/ids.ts'

/** Why somebody got up: the question changed, the time is over, or the caller hung up. */
export type Woken = 'rung' | 'timeout' | 'hung_up' | 'closing'

/** A place taken before the first look, so that no answer slips between. */
export type Seat = Disposable & {
  /** Resolves at the next ring (or at once, when one came since the last call), or at the end. */
  next(): Promise<Woken>
}

export type Waiting = {
  /** Sits down for `id` until the instant `until`; aborting `signal` frees the seat. */
  sit(id: QuestionId, until: number, signal: AbortSignal): Seat
  /** How many sit here now. */
  occupied(): number
  /** Sends everyone home, and whoever comes later too: the server is closing. */
  close(): void
}

export function createWaiting(bell: Bell, clock: Clock): Waiting {
  const seats = new Set<(woken: Woken) => void>()
  let closing = false
  bell.onGap(() => {
    for (const wake of seats) wake('rung')
  })

  function sit(id: QuestionId, until: number, signal: AbortSignal): Seat {
    let reason: Woken | undefined
    let stand: ((woken: Woken) => void) | undefined

    // An end outweighs a ring: it is never forgotten, a ring is used up by the next look.
    const wake = (woken: Woken) => {
      if (reason === undefined || reason === 'rung') reason = woken
      stand?.(reason)
    }
    const hangUp = () => wake('hung_up')
    const offBell = bell.on('question', id, () => wake('rung'))
    const offClock = clock.after(Math.max(0, until - clock.now()), () => wake('timeout'))
    signal.addEventListener('abort', hangUp, { once: true })
    seats.add(wake)
    if (signal.aborted) hangUp()
    if (closing) wake('closing')

    return {
      async next() {
        const woken = reason ?? (await new Promise<Woken>((resolve) => (stand = resolve)))
        stand = undefined
        if (reason === 'rung') reason = undefined
        return woken
      },
      [Symbol.dispose]() {
        offBell()
        offClock()
        signal.removeEventListener('abort', hangUp)
        seats.delete(wake)
      },
    }
  }

  return {
    sit,
    occupied: () => seats.size,
    close() {
      closing = true
      for (const wake of seats) wake('closing')
    },
  }
}
