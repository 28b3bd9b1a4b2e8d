import { type Clock, pause } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { Failure } from '../../platform/failure.ts'
import { repeatEvery } from '../../platform/repeat.ts'

/** The lease for probing, which one process has at a time. */
export const PROBING = 'catalog-probes'
/** Longer than any round; after that another process may take over. */
export const PROBING_MS = 10 * 60_000

const RENEW_MS = 60_000
const ASK_AGAIN_MS = 2_000
const TRIES_MAX = 30

type Deps = { db: Db; clock: Clock; holder: string; signal?: AbortSignal; waiting?(): void }

/**
 * Runs the work with the lease, waiting up to a minute for it. Throws `conflict` if it is still
 * taken.
 */
export async function withLease<T>(deps: Deps, work: () => Promise<T>): Promise<T> {
  const { db, clock, holder, signal } = deps
  const take = () => {
    const now = clock.now()
    return db.write((tx) => takeLease(tx, { name: PROBING, holder, now, until: now + PROBING_MS }))
  }
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

const BUSY =
  'A server measures this catalog at the moment, and its vendors are asked by one at a time; try again in a few minutes.'
