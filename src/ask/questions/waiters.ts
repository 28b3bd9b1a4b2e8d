import type { Clock } from '../../platform/clock.ts'
import type { ChangeBus } from '../../platform/db/change-bus.ts'
import type { QuestionId } from '../../platform/ids.ts'

/** Why a wait was woken: the question changed, time ran out, the caller hung up, or the server is closing. */
export type Woken = 'changed' | 'timeout' | 'hung_up' | 'closing'

/** One wait for a question. Create it before the first read, so that no answer is missed in between. */
export type Waiter = Disposable & {
  /** Resolves when the question next changes (at once if it changed since the last call), or when the wait is over. */
  next(): Promise<Woken>
  /** As `next`, but resolves to undefined if `other` resolves first. */
  nextOr(other: Promise<unknown>): Promise<Woken | undefined>
}

export type Waiters = {
  /** Starts a wait for question `id` until the instant `until`; aborting `signal` ends it. */
  add(id: QuestionId, until: number, signal: AbortSignal): Waiter
  /** How many waits are open now. */
  count(): number
  /** Ends all waits, and those that start later: the server is closing. */
  close(): void
}

/** Resolves to those of these questions that are not open any more. */
export type EndedAmong = (ids: readonly QuestionId[]) => Promise<readonly QuestionId[]>

/**
 * `collect` frees garbage; it is called while the number of waits grows, not while it stays level.
 * Where changes may have been missed, one question to `endedAmong` for all waits tells which end;
 * without it each looks for itself.
 */
export function createWaiters(
  changes: ChangeBus,
  clock: Clock,
  { collect = () => {}, endedAmong }: { collect?: () => void; endedAmong?: EndedAmong } = {},
): Waiters {
  const waiters = new Set<ActiveWaiter>()
  const garbage = collectWhileGrowing(collect)
  const leave = (waiter: ActiveWaiter) => {
    waiters.delete(waiter)
    garbage.shrank(waiters.size)
  }
  let closing = false
  let looking = false

  /** Wakes whose question has ended without a word; what cannot be read now is seen next time. */
  async function look() {
    if (!endedAmong || looking || waiters.size === 0) return
    looking = true
    try {
      const ended = new Set(await endedAmong([...new Set([...waiters].map(({ id }) => id))]))
      if (ended.size === 0) return
      for (const waiter of waiters) if (ended.has(waiter.id)) waiter.wake('changed')
    } catch {
      // The database is away; each wait goes on.
    } finally {
      looking = false
    }
  }

  changes.onLook(() => void look())
  changes.onMissed(() => {
    if (endedAmong) return void look()
    for (const waiter of waiters) waiter.wake('changed')
  })

  return {
    add(id, until, signal) {
      const waiter = new ActiveWaiter(id, signal, leave)
      waiter.listen(changes, clock, until)
      waiters.add(waiter)
      garbage.grew(waiters.size)
      if (signal.aborted) waiter.wake('hung_up')
      if (closing) waiter.wake('closing')
      return waiter
    },
    count: () => waiters.size,
    close() {
      closing = true
      for (const waiter of waiters) waiter.wake('closing')
    },
  }
}

// This many more waits leave enough garbage behind to be worth a collection.
const COLLECT_STEP = 250

/**
 * Collects garbage while the number of waits grows. Otherwise the garbage of each request stays
 * between live objects, and thousands of held calls take a third more memory than they need.
 */
function collectWhileGrowing(collect: () => void) {
  let collectAt = COLLECT_STEP
  return {
    grew(size: number) {
      if (size < collectAt) return
      collectAt = size + COLLECT_STEP
      collect()
    },
    /** Lowers the mark only when well below it, so that going up and down around it collects nothing. */
    shrank(size: number) {
      if (size < collectAt - 2 * COLLECT_STEP) collectAt = size + COLLECT_STEP
    },
  }
}

/** There are thousands at once, so each holds as little as possible and shares closures. */
class ActiveWaiter implements Waiter {
  readonly id: QuestionId
  private readonly signal: AbortSignal
  private readonly leave: (waiter: ActiveWaiter) => void
  private reason: Woken | undefined
  private wakeUp: ((woken: Woken | undefined) => void) | undefined
  private stopListening: (() => void) | undefined
  private offClock: (() => void) | undefined

  constructor(id: QuestionId, signal: AbortSignal, leave: (waiter: ActiveWaiter) => void) {
    this.id = id
    this.signal = signal
    this.leave = leave
    signal.addEventListener('abort', this, { once: true })
  }

  listen(changes: ChangeBus, clock: Clock, until: number): void {
    this.stopListening = changes.on('question', this.id, () => this.wake('changed'))
    this.offClock = clock.after(Math.max(0, until - clock.now()), () => this.wake('timeout'))
  }

  /** Called by the signal: the waiter itself is the listener, which saves a closure. */
  handleEvent(): void {
    this.wake('hung_up')
  }

  // The end of the wait is never forgotten; a change is used up by the next read.
  wake(woken: Woken): void {
    if (this.reason === undefined || this.reason === 'changed') this.reason = woken
    this.wakeUp?.(this.reason)
  }

  next(): Promise<Woken> {
    return this.upcoming() as Promise<Woken>
  }

  nextOr(other: Promise<unknown>): Promise<Woken | undefined> {
    const upcoming = this.upcoming()
    const { wakeUp } = this
    if (wakeUp) other.then(() => wakeUp(undefined))
    return upcoming
  }

  private upcoming(): Promise<Woken | undefined> {
    const { reason } = this
    if (reason !== undefined) {
      if (reason === 'changed') this.reason = undefined
      return Promise.resolve(reason)
    }
    return new Promise((resolve) => {
      this.wakeUp = (woken) => {
        this.wakeUp = undefined
        if (woken === 'changed') this.reason = undefined
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
