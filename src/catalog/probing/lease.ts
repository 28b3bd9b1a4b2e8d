import { type Clock, pause } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { Failure } from '../../platform/failure.ts'
import { repeatEvery } from '../../platform/repeat.ts'

const PROBING = 'catalog-probes'
// Longer than any round; after that another process may take over.
const PROBING_MS = 10 * 60_000
const RENEW_MS = 60_000
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

/**
 * Runs the work with the lease, waiting up to a minute for it. Throws `conflict` if it is still
 * taken.
 */
export async function withLease<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const { db, clock, holder, signal } = deps
  const take = () => takeProbing(deps)
  for (let n = 0; !(await take()); n++) {
    if (n === 0) deps.waiting?.()
    if (n >= TRIES_MAX || signal?.aborted) throw new Failure('conflict', BUSY)
    await pause(clock, ASK_AGAIN_MS, signal)
  }
  const kept = repeatEvery(clock, RENEW_MS, take, () => {})
  try {
    return await work()
  } finally {
    await kept[Symbol.asyncDispose]()
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
  return async (work: () => Promise<void>): Promise<void> => {
    underWay++
    try {
      // A pool has many connections, so giving the lease back could be executed after it was taken
      // again.
      await leaving
      if (await takeProbing(deps)) await work()
    } finally {
      if (--underWay === 0) {
        leaving = leaveLease(db, PROBING, holder)
        await leaving
      }
    }
  }
}

const BUSY =
  'A server measures this catalog at the moment, and its vendors are asked by one at a time; try again in a few minutes.'
