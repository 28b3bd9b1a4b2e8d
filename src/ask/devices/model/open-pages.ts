import type { Clock } from '../../../platform/clock.ts'
import type { Db, Read } from '../../../platform/db/database.ts'
import { unlessUnavailable } from '../../../platform/db/storage-failure.ts'
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
  reach(read: Read, workspaceId: WorkspaceId, targeting: Targeting): Promise<boolean>
}

/** Who looks, and at which workspace. */
type Viewer = { id: PersonId; workspaceId: WorkspaceId }

// A page reports every 20 seconds; one that is silent for longer than this may be gone.
export const PAGE_SEEN_MS = 30_000
const PAGES_MAX = 50

export function createOpenPages({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }): OpenPages {
  return {
    async seen({ id: personId, workspaceId }, name) {
      const page = { personId, workspaceId, page: named(name), seenAt: clock.now() }
      await unlessUnavailable(db.write((tx) => putOpenPage(tx, page, PAGES_MAX)))
    },
    async gone(personId, name) {
      await unlessUnavailable(db.write((tx) => dropOpenPage(tx, personId, named(name))))
    },
    async reach(read, workspaceId, targeting) {
      const viewers = await listViewers(read, workspaceId, clock.now() - PAGE_SEEN_MS)
      if (viewers.size === 0) return false
      if (!anyTarget(targeting)) return true
      const devices = await matchSubscribers(read, workspaceId, targeting)
      return devices.some(({ personId }) => personId !== undefined && viewers.has(personId))
    },
  }
}

/** As stored: names are whatever a page sends. */
function named(page: string): string {
  return new Bun.CryptoHasher('sha256').update(page).digest('hex')
}
