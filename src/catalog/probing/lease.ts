import { type Clock, pause } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { Failure } from '../../platform/failure.ts'
import { repeatEvery } from '../../platform/repeat.ts'

/** Commands take it, too, beside a server. */
export const PROBING = 'catalog-probes'
// When a process died, another one may take over after this.
const PROBING_MS = 10 * 60_000
const RENEW_MS = 2 * 60_000
const ASK_AGAIN_MS = 2_000
const TRIES_MAX = 30

type Holder = { db: Db; clock: Clock; holder: string }
type Deps = Holder & { signal?: AbortSignal; waiting?(): void }

/** Takes the lease for probing, or renews it; false while another process has it. */
function takeProbing({ db, clock, holder }: Holder): Promise<boolean> {
  const now = clock.now()
  const lease = { name: PROBING, holder, now, until: now + PROBING_MS }
  return db.write((tx) => takeLease(tx, lease))
}

/** Keeps the lease that was taken until disposed. */
function renewProbing(deps: Holder): AsyncDisposable {
  return repeatEvery(
    deps.clock,
    RENEW_MS,
    () => takeProbing(deps),
    () => {},
  )
}

/**
 * Runs the work with the lease, waiting up to a minute for it. Throws `conflict` if it is still
 * taken.
 */
export async function withLease<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const { db, clock, holder, signal } = deps
  for (let n = 0; !(await takeProbing(deps)); n++) {
    if (n === 0) deps.waiting?.()
    if (n >= TRIES_MAX || signal?.aborted) throw new Failure('conflict', BUSY)
    await pause(clock, ASK_AGAIN_MS, signal)
  }
  const renewing = renewProbing(deps)
  try {
    return await work()
  } finally {
    await renewing[Symbol.asyncDispose]()
    await leaveLease(db, PROBING, holder)
  }
}

/**
 * Runs pieces of work, several at a time, while this process has the lease for probing, and skips
 * them while another process has it. The lease is given back when nothing is running.
 */
export function createTurns(deps: Holder) {
  const { db, holder } = deps
  let underWay = 0
  let leaving = Promise.resolve()
  let renewing: AsyncDisposable | undefined

  async function leave() {
    await renewing?.[Symbol.asyncDispose]()
    renewing = undefined
    await leaveLease(db, PROBING, holder)
  }

  return async (work: () => Promise<void>): Promise<void> => {
    underWay++
    try {
      // A pool has many connections, so giving the lease back could be executed after it was taken
      // again.
      await leaving
      if (!(await takeProbing(deps))) return
      renewing ??= renewProbing(deps)
      await work()
    } finally {
      if (--underWay === 0) {
        leaving = leave()
        await leaving
      }
    }
  }
}

const BUSY =
  'A server measures this catalog at the moment, and its vendors are asked by one at a time; try again in a few minutes.'
