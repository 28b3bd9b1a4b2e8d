import { and, desc, eq, gte, inArray, lt, max } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'
import { openPages } from './table.ts'

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
  const gone = await tx
    .delete(openPages)
    .where(lt(openPages.seenAt, before))
    .returning({ page: openPages.page })
  return gone.length
}
