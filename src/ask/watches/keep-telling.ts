import { leaveLease, takeLease } from '../../platform/db/lease-store.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { deleteOldPosts } from './model/post-store.ts'
import { anyWatch } from './model/store.ts'
import { type TellDeps, tellWatchers } from './tell-watchers.ts'

// The catalog itself changes every quarter of an hour at most, but for a publish.
const LOOK_EVERY_MS = 15_000
const LEASE = 'watches'
// When a process died, another one may take over after this.
const LEASE_MS = 60_000
// What was posted is of no use after this.
const POSTS_MS = 30 * 24 * 60 * 60_000

/**
 * Tells watchers now and then, until disposed. Of several processes one does, because each has a
 * catalog of its own in memory, and two that differ would tell of the difference again and again.
 */
export function keepTelling(
  deps: Omit<TellDeps, 'report'> & { holder: string },
  report: (error: unknown) => void,
): AsyncDisposable {
  const { db, clock, holder } = deps
  const tell = async () => {
    if (!(await anyWatch(db.read))) return
    const now = clock.now()
    const lease = { name: LEASE, holder, now, until: now + LEASE_MS }
    const isOurs = await db.write(async (tx) => {
      await deleteOldPosts(tx, now - POSTS_MS)
      return await takeLease(tx, lease)
    })
    if (isOurs) await tellWatchers({ ...deps, report })
  }
  const telling = repeatEvery(clock, LOOK_EVERY_MS, tell, report)
  return {
    async [Symbol.asyncDispose]() {
      await telling[Symbol.asyncDispose]()
      await leaveLease(db, LEASE, holder)
    },
  }
}
