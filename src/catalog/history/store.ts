import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { FoundFact } from '../facts/fact.ts'
import { canonicalJson } from '../records/canonical.ts'
import { catalogHistory, type HistoryKind } from './table.ts'

export type StoredHistory = typeof catalogHistory.$inferSelect

type Place = Pick<StoredHistory, 'slug' | 'kind' | 'subject'>

/** The most rows of one subject; older ones are deleted. */
const ROWS_KEPT = 200

/** Stores the values that differ from the last ones on record; a value read earlier counts as of then. */
export async function noteFacts(
  tx: Tx,
  slug: string,
  facts: readonly FoundFact[],
  now: number,
): Promise<void> {
  for (const { subject, value, at = now } of facts) {
    const place = { slug, kind: 'fact', subject } as const
    const last = await lastRow(tx, place)
    if (last && (last.at >= at || canonicalJson(last.value) === canonicalJson(value))) continue
    await addRow(tx, { ...place, at, value })
  }
}

/** The history of some tools, by tool, kind and subject, oldest first. */
export async function readHistoryRows(
  read: Read,
  slugs: readonly string[],
): Promise<StoredHistory[]> {
  const { slug, kind, subject, at } = catalogHistory
  return await read
    .select()
    .from(catalogHistory)
    .where(inArray(slug, [...slugs]))
    .orderBy(asc(slug), asc(kind), asc(subject), asc(at))
}

/** Every tool with a history, in order. */
export async function slugsWithHistory(read: Read): Promise<string[]> {
  const rows = await read.selectDistinct({ slug: catalogHistory.slug }).from(catalogHistory)
  return rows.map(({ slug }) => slug).sort()
}

/** The newest row of a subject. */
export async function lastRow(read: Read, place: Place): Promise<StoredHistory | undefined> {
  const [row] = await read
    .select()
    .from(catalogHistory)
    .where(samePlace(place))
    .orderBy(desc(catalogHistory.at))
    .limit(1)
  return row
}

/** Adds a row, and deletes the oldest of too many. */
export async function addRow(tx: Tx, row: StoredHistory): Promise<void> {
  await tx.insert(catalogHistory).values(row).onConflictDoNothing()
  const [oldest] = await tx
    .select({ at: catalogHistory.at })
    .from(catalogHistory)
    .where(samePlace(row))
    .orderBy(desc(catalogHistory.at))
    .limit(1)
    .offset(ROWS_KEPT - 1)
  if (!oldest) return
  await tx.delete(catalogHistory).where(and(samePlace(row), lt(catalogHistory.at, oldest.at)))
}

function samePlace({ slug, kind, subject }: { slug: string; kind: HistoryKind; subject: string }) {
  const table = catalogHistory
  return and(eq(table.slug, slug), eq(table.kind, kind), eq(table.subject, subject))
}
