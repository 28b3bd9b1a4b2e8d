import type { Clock } from '../../../platform/clock.ts'
import type { Read } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'
import { matchSubscribers } from './store.ts'
import { anyTarget, type Targeting } from './subscriber.ts'

/**
 * The pages that people have before them, as the pages report. Kept in memory: after a restart they
 * report again.
 */
export type OpenPages = {
  /** The page is visible now. One person has at most 50: the oldest is forgotten for one more. */
  seen(who: Viewer, page: string): void
  /** The page is hidden or closed. */
  gone(personId: PersonId, page: string): void
  /**
   * Whether somebody whom `targeting` does not exclude looks at a page of the workspace. A target
   * that names devices excludes everybody who has none of them.
   */
  reach(read: Read, workspaceId: WorkspaceId, targeting: Targeting): Promise<boolean>
}

/** Who looks, and at which workspace. */
type Viewer = { id: PersonId; workspaceId: WorkspaceId }

// A page reports every 20 seconds; one that is silent for longer than this may be gone.
const SEEN_MS = 30_000
const PAGES_MAX = 50

export function createOpenPages({ now }: Pick<Clock, 'now'>): OpenPages {
  const byPerson = new Map<PersonId, Map<string, { workspaceId: WorkspaceId; at: number }>>()

  function gone(personId: PersonId, page: string) {
    const pages = byPerson.get(personId)
    pages?.delete(page)
    if (pages?.size === 0) byPerson.delete(personId)
  }

  function viewersOf(workspaceId: WorkspaceId): Set<PersonId> {
    const since = now() - SEEN_MS
    const found = new Set<PersonId>()
    for (const [personId, pages] of byPerson) {
      for (const [page, { at, workspaceId: of }] of pages) {
        if (at < since) gone(personId, page)
        else if (of === workspaceId) found.add(personId)
      }
    }
    return found
  }

  return {
    seen({ id, workspaceId }, page) {
      const pages = byPerson.get(id) ?? new Map()
      byPerson.set(id, pages)
      pages.delete(page)
      pages.set(page, { workspaceId, at: now() })
      const [oldest] = pages.keys()
      if (pages.size > PAGES_MAX) gone(id, oldest)
    },
    gone,
    async reach(read, workspaceId, targeting) {
      const viewers = viewersOf(workspaceId)
      if (viewers.size === 0) return false
      if (!anyTarget(targeting)) return true
      const devices = await matchSubscribers(read, workspaceId, targeting)
      return devices.some(({ personId }) => personId !== undefined && viewers.has(personId))
    },
  }
}
