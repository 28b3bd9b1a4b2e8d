import { and, asc, eq } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { DraftChange } from '../facts/fact.ts'
import { catalogDrafts, type DraftState } from './table.ts'

export type StoredDraft = typeof catalogDrafts.$inferSelect

/** False if a draft with this id exists already, in any state. */
export async function addDraft(tx: Tx, draft: DraftChange, now: number): Promise<boolean> {
  const { id, slug, kind, what, source } = draft
  const added = await tx
    .insert(catalogDrafts)
    .values({ id, slug, kind, what, source, draftedAt: now, state: 'open' })
    .onConflictDoNothing()
    .returning({ id: catalogDrafts.id })
  return added.length > 0
}

/** Those in a state, or all; oldest first. */
export async function readDrafts(read: Read, state?: DraftState): Promise<StoredDraft[]> {
  return await read
    .select()
    .from(catalogDrafts)
    .where(state === undefined ? undefined : eq(catalogDrafts.state, state))
    .orderBy(asc(catalogDrafts.draftedAt), asc(catalogDrafts.id))
}

/** Closes an open draft; false if it is not open. */
export async function closeDraft(
  tx: Tx,
  id: string,
  state: Exclude<DraftState, 'open'>,
): Promise<boolean> {
  const closed = await tx
    .update(catalogDrafts)
    .set({ state })
    .where(and(eq(catalogDrafts.id, id), eq(catalogDrafts.state, 'open')))
    .returning({ id: catalogDrafts.id })
  return closed.length > 0
}
