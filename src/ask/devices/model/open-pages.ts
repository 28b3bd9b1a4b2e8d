import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { unlessUnavailable } from '../../../platform/db/storage-failure.ts'
import { createTtlCache } from '../../../platform/db/ttl-cache.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'
import { dropOpenPage, listViewers, putOpenPage } from './open-page-store.ts'
import { matchSubscribers } from './store.ts'
import { anyTarget, type Targeting } from './subscriber.ts'

/**
 * The pages that people have before them, as the pages report: to any process, for all of them. What
 * the storage does not take now, the page says again.
 */
export type OpenPages = {
  /** The page is visible now. One person has at most 50: the oldest is forgotten for one more. */
  seen(who: Viewer, page: string): Promise<void>
  /** The page is hidden or closed. */
  gone(personId: PersonId, page: string): Promise<void>
  /**
   * Whether somebody whom `targeting` does not exclude looks at a page of the workspace. A target
   * that names devices excludes everybody who has none of them.
   */
  reach(workspaceId: WorkspaceId, targeting: Targeting): Promise<boolean>
}

/** Who looks, and at which workspace. */
type Viewer = { id: PersonId; workspaceId: WorkspaceId }

// A page reports every 20 seconds; one that is silent for longer than this may be gone.
export const PAGE_SEEN_MS = 30_000
const PAGES_MAX = 50

export function createOpenPages({ db, clock }: { db: Db; clock: Clock }): OpenPages {
  // Every question looks who is there.
  const viewers = createTtlCache({ changes: db.changes, clock }, 'page', (workspaceId) =>
    listViewers(db.read, workspaceId as WorkspaceId, clock.now() - PAGE_SEEN_MS),
  )
  return {
    async seen({ id: personId, workspaceId }, name) {
      const page = { personId, workspaceId, page: named(name), seenAt: clock.now() }
      const put = db.write(async (tx) => {
        await putOpenPage(tx, page, PAGES_MAX)
        tx.emit('page', personId)
      })
      await unlessUnavailable(put)
    },
    async gone(personId, name) {
      const drop = db.write(async (tx) => {
        await dropOpenPage(tx, personId, named(name))
        tx.emit('page', personId)
      })
      await unlessUnavailable(drop)
    },
    async reach(workspaceId, targeting) {
      const since = clock.now() - PAGE_SEEN_MS
      const seen = [...(await viewers.of(workspaceId))].filter(([, seenAt]) => seenAt >= since)
      if (seen.length === 0) return false
      if (!anyTarget(targeting)) return true
      const there = new Set(seen.map(([personId]) => personId))
      const devices = await matchSubscribers(db.read, workspaceId, targeting)
      return devices.some(({ personId }) => personId !== undefined && there.has(personId))
    },
  }
}

/** As stored: names are whatever a page sends. */
function named(page: string): string {
  return new Bun.CryptoHasher('sha256').update(page).digest('hex')
}
