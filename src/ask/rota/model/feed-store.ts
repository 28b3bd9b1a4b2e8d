import { and, asc, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { FeedShift, RotaFeed, RotaId } from './rota.ts'
import { rotaFeeds, rotas } from './table.ts'

/** Sets the address of a rota’s calendar; what was read from another address is forgotten. */
export async function putFeedUrl(tx: Tx, rotaId: RotaId, url: string): Promise<void> {
  const [row] = await tx.select().from(rotaFeeds).where(eq(rotaFeeds.rotaId, rotaId))
  if (row?.url === url) return
  await deleteFeed(tx, rotaId)
  await tx.insert(rotaFeeds).values({ rotaId, url, shifts: [] })
}

async function deleteFeed(tx: Tx, rotaId: RotaId): Promise<void> {
  await tx.delete(rotaFeeds).where(eq(rotaFeeds.rotaId, rotaId))
}

/** The calendars of these rotas. */
export async function listFeeds(read: Read, rotaIds: readonly RotaId[]): Promise<RotaFeed[]> {
  if (rotaIds.length === 0) return []
  const rows = await read
    .select()
    .from(rotaFeeds)
    .where(inArray(rotaFeeds.rotaId, [...rotaIds]))
  return rows.map(nullsToUndefined)
}

/** A calendar that is due, with what its rota says of times without a zone. */
export type DueFeed = Pick<RotaFeed, 'rotaId' | 'url' | 'etag'> & {
  zone: string
  workspaceId: WorkspaceId
}

/** The calendars that were last tried at `before` or earlier, those that waited longest first. */
export async function listDueFeeds(read: Read, before: number, most: number): Promise<DueFeed[]> {
  const { rotaId, url, etag, triedAt } = rotaFeeds
  const { zone, workspaceId } = rotas
  const rows = await read
    .select({ rotaId, url, etag, zone, workspaceId })
    .from(rotaFeeds)
    .innerJoin(rotas, eq(rotas.id, rotaId))
    .where(or(isNull(triedAt), lte(triedAt, before)))
    .orderBy(asc(triedAt), asc(rotaId))
    .limit(most)
  return rows.map(nullsToUndefined)
}

/** Marks a calendar as tried at `at`; false if another process did since `before`. */
export async function claimFeed(
  tx: Tx,
  { rotaId, url }: Pick<DueFeed, 'rotaId' | 'url'>,
  { at, before }: { at: number; before: number },
): Promise<boolean> {
  const { triedAt } = rotaFeeds
  const rows = await tx
    .update(rotaFeeds)
    .set({ triedAt: at })
    .where(
      and(
        eq(rotaFeeds.rotaId, rotaId),
        eq(rotaFeeds.url, url),
        or(isNull(triedAt), lte(triedAt, before)),
      ),
    )
    .returning({ id: rotaFeeds.rotaId })
  return rows.length > 0
}

/** What came of reading a calendar: its shifts, no change, or why it failed. */
export type FeedReading =
  | { is: 'read'; shifts: FeedShift[]; etag: string | undefined }
  | { is: 'same' }
  | { is: 'failed'; problem: string }

/** Stores what came of reading a calendar at `at`, unless its address has changed meanwhile. */
export async function putReading(
  tx: Tx,
  { rotaId, url, workspaceId }: Pick<DueFeed, 'rotaId' | 'url' | 'workspaceId'>,
  reading: FeedReading,
  at: number,
): Promise<void> {
  await tx
    .update(rotaFeeds)
    .set(changesOf(reading, at))
    .where(and(eq(rotaFeeds.rotaId, rotaId), eq(rotaFeeds.url, url)))
  tx.emit('rota', workspaceId)
}

function changesOf(reading: FeedReading, at: number): Partial<typeof rotaFeeds.$inferInsert> {
  if (reading.is === 'failed') return { triedAt: at, problem: reading.problem }
  const success = { triedAt: at, readAt: at, problem: null }
  if (reading.is === 'same') return success
  return { ...success, etag: reading.etag ?? null, shifts: reading.shifts }
}
