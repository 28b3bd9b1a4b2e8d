import type { Clock } from '../../platform/clock.ts'
import type { ChangeBus } from '../../platform/db/change-bus.ts'
import type { HangUp } from '../accounts/model/agent.ts'
import type { QuestionId } from '../wire/ids.ts'

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
  add(id: QuestionId, until: number, signal: HangUp): Waiter
  /** Returns true if any wait for this question is open now. */
  isWaitedFor(id: QuestionId): boolean
  /** How many waits are open now. */
  count(): number
  /** Ends all waits, and those that start later: the server is closing. */
  close(): void
}

/** Resolves to the ids among these whose question is not open any more. */
export type EndedAmong = (ids: readonly QuestionId[]) => Promise<readonly QuestionId[]>

/**
 * `collect` frees garbage; it is called while the number of waits grows, not while it stays level.
 * After changes may have been missed, one call of `endedAmong` finds the waits that are over;
 * without it each wait reads its own question.
 */
export function createWaiters(
  changes: ChangeBus,
  clock: Clock,
  { collect = () => {}, endedAmong }: { collect?: () => void; endedAmong?: EndedAmong } = {},
): Waiters {
  // The waiter that came last; it leads to the others of its question.
  const byQuestion = new Map<QuestionId, ActiveWaiter>()
  const garbage = collectWhileGrowing(collect)
  const ends = endInTime(clock)
  let count = 0
  let closing = false
  let looking = false

  function wakeAll(reason: Woken) {
    for (const first of byQuestion.values()) wakeFrom(first, reason)
  }

  function leave(waiter: ActiveWaiter) {
    const { id, other } = waiter
    let before = byQuestion.get(id)
    if (before !== waiter) {
      while (before && before.other !== waiter) before = before.other
      if (before) before.other = other
    } else if (other) byQuestion.set(id, other)
    else byQuestion.delete(id)
    ends.forget(waiter)
    garbage.shrank(--count)
  }

  function changed(id: QuestionId) {
    wakeFrom(byQuestion.get(id), 'changed')
  }

  /**
   * Wakes waits whose question ended without a change event; a failed read is repeated next time.
   */
  async function checkOutcomes() {
    if (!endedAmong || looking || count === 0) return
    looking = true
    try {
      for (const id of await endedAmong([...byQuestion.keys()])) changed(id)
    } catch {
      // The database is away; each wait goes on.
    } finally {
      looking = false
    }
  }

  // One listener for all of them, since each would have a key and functions of its own.
  changes.on('question', undefined, (id) => changed(id as QuestionId))
  changes.onLook(() => void checkOutcomes())
  changes.onMissed(() => (endedAmong ? void checkOutcomes() : wakeAll('changed')))

  return {
    add(id, until, signal) {
      const waiter = new ActiveWaiter(id, until, signal, leave)
      waiter.other = byQuestion.get(id)
      byQuestion.set(id, waiter)
      ends.keep(waiter)
      garbage.grew(++count)
      if (signal.aborted) waiter.wake('hung_up')
      if (closing) waiter.wake('closing')
      return waiter
    },
    isWaitedFor: (id) => byQuestion.has(id),
    count: () => count,
    close() {
      closing = true
      wakeAll('closing')
    },
  }
}

function wakeFrom(first: ActiveWaiter | undefined, reason: Woken) {
  for (let waiter = first; waiter; waiter = waiter.other) waiter.wake(reason)
}

// A timer may fire a little early.
const CLOCK_JITTER_MS = 1_000

/** Wakes each waiter at its instant, with one timer for all of them: thousands may wait. */
function endInTime(clock: Clock) {
  // Sorted by end, the earliest first.
  const due: ActiveWaiter[] = []
  // For the waits that end at `at`; it rings when the clock says `rings`.
  let timer: { at: number; rings: number; stop(): void } | undefined
  let count = 0

  /**
   * Called with an instant that has come. If the clock was set back since, the waits that remain
   * are moved back with it, so that nothing waits longer.
   */
  function notBefore(instant: number) {
    count = clock.now()
    const back = instant - count
    if (back < CLOCK_JITTER_MS) return
    for (const waiter of due) waiter.until -= back
    if (timer) timer = { ...timer, at: timer.at - back, rings: timer.rings - back }
  }

  function arm() {
    const at = due[0]?.until
    const now = clock.now()
    // If the clock was set forward, or the machine slept, waits that begin now would end after it.
    const isOvertaken = timer !== undefined && now - timer.rings > CLOCK_JITTER_MS
    if (at === timer?.at && !isOvertaken) return
    timer?.stop()
    const ms = Math.max(0, (at ?? 0) - now)
    timer = at === undefined ? undefined : { at, rings: now + ms, stop: clock.after(ms, wakeAll) }
  }

  function wakeAll() {
    const at = timer?.at ?? 0
    timer = undefined
    while (due[0] && due[0].until <= at) due.shift()?.wake('timeout')
    notBefore(at)
    arm()
  }

  /** The index for a waiter that ends at `until`, after those that end at the same instant. */
  function placeFor(until: number): number {
    let [low, high] = [0, due.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((due[middle] as ActiveWaiter).until <= until) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    keep(waiter: ActiveWaiter) {
      notBefore(count)
      due.splice(placeFor(waiter.until), 0, waiter)
      arm()
    },
    forget(waiter: ActiveWaiter) {
      const at = due.lastIndexOf(waiter, placeFor(waiter.until))
      if (at < 0) return
      due.splice(at, 1)
      arm()
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
  until: number
  /** The next wait for the same question: most have none, for which a list would be too much. */
  other: ActiveWaiter | undefined
  private readonly signal: HangUp
  private readonly leave: (waiter: ActiveWaiter) => void
  private reason: Woken | undefined
  private wakeUp: ((reason: Woken | undefined) => void) | undefined
  private hasLeft = false

  constructor(
    id: QuestionId,
    until: number,
    signal: HangUp,
    leave: (waiter: ActiveWaiter) => void,
  ) {
    this.id = id
    this.until = until
    this.signal = signal
    this.leave = leave
    signal.addEventListener('abort', this, { once: true })
  }

  /** Called by the signal: the waiter itself is the listener, which saves a closure. */
  handleEvent(): void {
    this.wake('hung_up')
  }

  // The end of the wait is never forgotten; a change is used up by the next read.
  wake(wakeReason: Woken): void {
    if (this.reason === undefined || this.reason === 'changed') this.reason = wakeReason
    const { reason, wakeUp } = this
    if (!wakeUp) return
    this.wakeUp = undefined
    if (reason === 'changed') this.reason = undefined
    wakeUp(reason)
  }

  next(): Promise<Woken> {
    return this.upcoming() as Promise<Woken>
  }

  nextOr(other: Promise<unknown>): Promise<Woken | undefined> {
    const upcoming = this.upcoming()
    const { wakeUp } = this
    if (wakeUp) {
      other.then(() => {
        if (this.wakeUp !== wakeUp) return
        this.wakeUp = undefined
        wakeUp(undefined)
      })
    }
    return upcoming
  }

  private upcoming(): Promise<Woken | undefined> {
    const { reason } = this
    if (reason !== undefined) {
      if (reason === 'changed') this.reason = undefined
      return Promise.resolve(reason)
    }
    return new Promise((resolve) => {
      this.wakeUp = resolve
    })
  }

  [Symbol.dispose](): void {
    if (this.hasLeft) return
    this.hasLeft = true
    this.signal.removeEventListener('abort', this)
    this.leave(this)
  }
}
