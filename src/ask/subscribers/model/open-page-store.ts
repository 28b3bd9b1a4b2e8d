import { and, desc, eq, gte, inArray, lt, max } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import { createTtlCache } from '../../../platform/db/change-bus.ts'
import type { Db, Read, Tx } from '../../../platform/db/database.ts'
import { unlessUnavailable } from '../../../platform/db/storage-failure.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import { readAudience } from '../../visibility/model/store.ts'
import { anyTarget, type Targeting } from '../../wire/targeting.ts'
import { matchSubscribers } from './store.ts'
import { openPages } from './table.ts'

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
   * Resolves to true if a page of the workspace is visible to somebody whom `targeting` does not
   * exclude, and who sees what the token asks. A target that names devices excludes everybody who has
   * none of them.
   */
  reach(
    asker: { workspaceId: WorkspaceId; tokenId: TokenId },
    targeting: Targeting,
  ): Promise<boolean>
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
      const page = { personId, workspaceId, page: sha256(name), seenAt: clock.now() }
      const put = db.write(async (tx) => {
        await putOpenPage(tx, page, PAGES_MAX)
        tx.emit('page', personId)
      })
      await unlessUnavailable(put)
    },
    async gone(personId, name) {
      const drop = db.write(async (tx) => {
        await dropOpenPage(tx, personId, sha256(name))
        tx.emit('page', personId)
      })
      await unlessUnavailable(drop)
    },
    async reach({ workspaceId, tokenId }, targeting) {
      const since = clock.now() - PAGE_SEEN_MS
      const viewersNow = [...(await viewers.of(workspaceId))].filter(
        ([, seenAt]) => seenAt >= since,
      )
      if (viewersNow.length === 0) return false
      if (!anyTarget(targeting)) {
        const audience = await readAudience(db.read, workspaceId, tokenId)
        return !audience || viewersNow.some(([personId]) => audience.has(personId))
      }
      const there = new Set(viewersNow.map(([personId]) => personId))
      const devices = await matchSubscribers(db.read, workspaceId, targeting)
      return devices.some(({ personId }) => personId !== undefined && there.has(personId))
    },
  }
}

export type OpenPage = typeof openPages.$inferSelect

/** Records that a page is visible, and deletes those that its person has beyond the newest `most`. */
export async function putOpenPage(tx: Tx, page: OpenPage, most: number): Promise<void> {
  const { workspaceId, seenAt, personId } = page
  await tx
    .insert(openPages)
    .values(page)
    .onConflictDoUpdate({
      target: [openPages.personId, openPages.page],
      set: { workspaceId, seenAt },
    })
  const mine = eq(openPages.personId, personId)
  const others = await tx
    .select({ page: openPages.page })
    .from(openPages)
    .where(mine)
    .orderBy(desc(openPages.seenAt), desc(openPages.page))
    .limit(most + 1)
  const oldest = others.slice(most).map((one) => one.page)
  if (oldest.length > 0)
    await tx.delete(openPages).where(and(mine, inArray(openPages.page, oldest)))
}

export async function dropOpenPage(tx: Tx, personId: PersonId, page: string): Promise<void> {
  await tx.delete(openPages).where(and(eq(openPages.personId, personId), eq(openPages.page, page)))
}

/** When a page of this workspace was last visible, at `since` or later, for each person. */
export async function listViewers(
  read: Read,
  workspaceId: WorkspaceId,
  since: number,
): Promise<ReadonlyMap<PersonId, number>> {
  const rows = await read
    .select({ personId: openPages.personId, seenAt: max(openPages.seenAt) })
    .from(openPages)
    .where(and(eq(openPages.workspaceId, workspaceId), gte(openPages.seenAt, since)))
    .groupBy(openPages.personId)
  return new Map(rows.map(({ personId, seenAt }) => [personId, Number(seenAt)]))
}

/** Deletes pages that have said nothing since `before`; resolves to how many. */
export async function purgeOpenPages(tx: Tx, before: number): Promise<number> {
  const deleted = await tx
    .delete(openPages)
    .where(lt(openPages.seenAt, before))
    .returning({ page: openPages.page })
  return deleted.length
}
