import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, not, or } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import { takesNoPart } from '../../accounts/model/off-store.ts'
import { watches } from './table.ts'
import type { Watch, WatchId } from './watch.ts'

/** Whose watches: those that tell a person, or those of a token that tell a program. */
export type Watcher =
  | { workspaceId: WorkspaceId; personId: PersonId }
  | { workspaceId: WorkspaceId; tokenId: TokenId }

export async function insertWatch(tx: Tx, watch: Watch): Promise<void> {
  await tx.insert(watches).values(watch)
}

/** Changes what a watch is about; one that was stopped goes on from `upTo`. */
export async function putWatch(
  tx: Tx,
  id: WatchId,
  change: Partial<Pick<Watch, 'records' | 'news' | 'target' | 'url' | 'secret' | 'upTo'>>,
): Promise<void> {
  await tx
    .update(watches)
    .set({ ...change, stoppedAt: null, stoppedWhy: null })
    .where(eq(watches.id, id))
}

/** The watches of somebody, oldest first. */
export async function listWatches(read: Read, of: Watcher): Promise<Watch[]> {
  const rows = await read.select().from(watches).where(isOf(of)).orderBy(asc(watches.id))
  return rows.map(nullsToUndefined)
}

export async function findWatch(read: Read, id: WatchId): Promise<Watch | undefined> {
  const [row] = await read.select().from(watches).where(eq(watches.id, id))
  return row && nullsToUndefined(row)
}

export async function anyWatch(read: Read): Promise<boolean> {
  const rows = await read.select({ id: watches.id }).from(watches).limit(1)
  return rows.length > 0
}

/** The watches that go on and were not told of everything up to `number`, oldest first. */
export async function listBehind(read: Read, number: number): Promise<Watch[]> {
  const { personId, workspaceId } = watches
  const rows = await read
    .select()
    .from(watches)
    .where(
      and(
        isNull(watches.stoppedAt),
        lt(watches.upTo, number),
        or(isNull(personId), not(takesNoPart(read, { personId, workspaceId }))),
      ),
    )
    .orderBy(asc(watches.id))
  return rows.map(nullsToUndefined)
}

/** The watches that go on and name records. */
export async function listNaming(read: Read): Promise<Watch[]> {
  const { personId, workspaceId, kind } = watches
  const rows = await read
    .select()
    .from(watches)
    .where(
      and(
        isNull(watches.stoppedAt),
        inArray(kind, ['tool', 'list']),
        or(isNull(personId), not(takesNoPart(read, { personId, workspaceId }))),
      ),
    )
    .orderBy(asc(watches.id))
  return rows.map(nullsToUndefined)
}

/** Notes that watches were told; the ids of those that were still at the number they had. */
export async function advance(
  tx: Tx,
  some: readonly Pick<Watch, 'id' | 'upTo'>[],
  number: number,
): Promise<WatchId[]> {
  const ids: WatchId[] = []
  for (const { id, upTo } of some) {
    const rows = await tx
      .update(watches)
      .set({ upTo: number })
      .where(and(eq(watches.id, id), eq(watches.upTo, upTo), isNull(watches.stoppedAt)))
      .returning({ id: watches.id })
    ids.push(...rows.map((row) => row.id))
  }
  return ids
}

/** Stops watches that go on; resolves to how many. They stay, and can be started again. */
export async function stopWatches(
  tx: Tx,
  of: Watcher | { id: WatchId },
  stop: { at: number; why: string },
): Promise<number> {
  const which = 'id' in of ? eq(watches.id, of.id) : isOf(of)
  const rows = await tx
    .update(watches)
    .set({ stoppedAt: stop.at, stoppedWhy: stop.why })
    .where(and(which, isNull(watches.stoppedAt)))
    .returning({ id: watches.id })
  return rows.length
}

/** Deletes a watch; false if there is none with this id. */
export async function deleteWatch(tx: Tx, id: WatchId): Promise<boolean> {
  const rows = await tx.delete(watches).where(eq(watches.id, id)).returning({ id: watches.id })
  return rows.length > 0
}

/** Deletes the watches of somebody. */
export async function deleteWatches(tx: Tx, of: Watcher): Promise<void> {
  await tx.delete(watches).where(isOf(of))
}

/** The watches whose address did not accept news, the last one first. */
export async function listFailed(read: Read, workspaceId: WorkspaceId): Promise<Watch[]> {
  const { url, stoppedAt } = watches
  const rows = await read
    .select()
    .from(watches)
    .where(and(eq(watches.workspaceId, workspaceId), isNotNull(url), isNotNull(stoppedAt)))
    .orderBy(desc(stoppedAt), asc(watches.id))
  return rows.map(nullsToUndefined)
}

function isOf(of: Watcher) {
  const here = eq(watches.workspaceId, of.workspaceId)
  if ('personId' in of) return and(here, eq(watches.personId, of.personId))
  return and(here, isNull(watches.personId), eq(watches.tokenId, of.tokenId))
}
