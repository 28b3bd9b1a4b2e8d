import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { unlessUnavailable } from '../../../platform/db/storage-failure.ts'
import { createTtlCache } from '../../../platform/db/ttl-cache.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'
import { dropOpenPage, listViewers, putOpenPage } from './open-page-store.ts'
import { matchSubscribers } from './store.ts'
import { anyTarget, type Targeting } from './subscriber.ts'

/**
 * The pages that people have in front of them. A page reports to any process, and all of them know.
 * If a write fails, the page's next report repeats it.
 */
export type OpenPages = {
  /** The page is visible now. At most 50 are kept for each person: one more drops the oldest. */
  seen(who: Viewer, page: string): Promise<void>
  /** The page is hidden or closed. */
  gone(personId: PersonId, page: string): Promise<void>
  /**
   * Whether a page of the workspace is visible to somebody whom `targeting` does not exclude. A
   * target that names devices excludes everybody who has none of them.
   */
  reach(workspaceId: WorkspaceId, targeting: Targeting): Promise<boolean>
}

/** The person who looks at a page, and their workspace. */
type Viewer = { id: PersonId; workspaceId: WorkspaceId }

// A page reports every 20 seconds; one that is silent for longer than this may be gone.
export const PAGE_SEEN_MS = 30_000
const PAGES_MAX = 50

export function createOpenPages({ db, clock }: { db: Db; clock: Clock }): OpenPages {
  // Every question checks for visible pages.
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
