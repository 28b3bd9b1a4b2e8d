import { and, asc, desc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { GradeHistoryItem } from '../records/grading.ts'
import {
  catalogGrades,
  catalogMethodologies,
  catalogRecords,
  catalogRevisions,
  type RecordKind,
} from './table.ts'

export type Revision = typeof catalogRevisions.$inferSelect
export type StoredRecord = typeof catalogRecords.$inferSelect
export type StoredGrade = typeof catalogGrades.$inferSelect
/** A grade with its position in the history of its tool, from 0. */
export type NewGrade = { slug: string; place: number; item: GradeHistoryItem }

// SQLite takes 32,766 values in a statement; these have six each.
const ROWS_AT_ONCE = 200

/** The revision that is served; undefined while nothing was published. */
export async function latestRevision(read: Read): Promise<Revision | undefined> {
  const [row] = await read
    .select()
    .from(catalogRevisions)
    .orderBy(desc(catalogRevisions.sequence))
    .limit(1)
  return row
}

/** The next `limit` records after `after`, by kind and key. */
export async function readRecords(
  read: Read,
  after: { kind: RecordKind; key: string } | undefined,
  limit: number,
): Promise<StoredRecord[]> {
  const { kind, key } = catalogRecords
  const beyond = after && or(gt(kind, after.kind), and(eq(kind, after.kind), gt(key, after.key)))
  return await read
    .select()
    .from(catalogRecords)
    .where(beyond)
    .orderBy(asc(kind), asc(key))
    .limit(limit)
}

/** Every record without its body. */
export async function readHashes(read: Read) {
  const { kind, key, hash } = catalogRecords
  return await read.select({ kind, key, hash }).from(catalogRecords)
}

/** Some tools as they are published, by slug. */
export async function readTools(
  read: Read,
  slugs: readonly string[],
): Promise<Map<string, AuthoredTool>> {
  const { kind, key, body } = catalogRecords
  const tools = new Map<string, AuthoredTool>()
  for (const some of inParts(slugs)) {
    const rows = await read
      .select({ key, body })
      .from(catalogRecords)
      .where(and(eq(kind, 'tool'), inArray(key, some)))
    for (const row of rows) tools.set(row.key, row.body as AuthoredTool)
  }
  return tools
}

/** Every grade that was published, oldest first. */
export async function readGrades(read: Read): Promise<StoredGrade[]> {
  return await read
    .select()
    .from(catalogGrades)
    .orderBy(asc(catalogGrades.slug), asc(catalogGrades.place))
}

/** Writes records that are new or have changed, and keeps the day on which each was added. */
export async function putRecords(
  tx: Tx,
  rows: ReadonlyArray<Pick<StoredRecord, 'kind' | 'key' | 'hash' | 'body'>>,
  now: number,
): Promise<void> {
  for (const some of inParts(rows)) {
    await tx
      .insert(catalogRecords)
      .values(some.map((row) => ({ ...row, addedAt: now, updatedAt: now })))
      .onConflictDoUpdate({
        target: [catalogRecords.kind, catalogRecords.key],
        set: {
          hash: sql`excluded.hash`.mapWith(String),
          body: sql`excluded.body`.mapWith(String),
          updatedAt: now,
        },
      })
  }
}

export async function dropRecords(
  tx: Tx,
  kind: RecordKind,
  keys: readonly string[],
): Promise<void> {
  for (const some of inParts(keys)) {
    const { key } = catalogRecords
    await tx.delete(catalogRecords).where(and(eq(catalogRecords.kind, kind), inArray(key, some)))
  }
}

/** Adds to the history of each tool; entries are never changed. */
export async function addGrades(
  tx: Tx,
  grades: readonly NewGrade[],
  sequence: number,
): Promise<void> {
  for (const some of inParts(grades)) {
    const rows = some.map((grade) => ({ ...grade, sequence }))
    await tx.insert(catalogGrades).values(rows).onConflictDoNothing()
  }
}

/** The fingerprint of each methodology that was published, by version. */
export async function readMethodologies(read: Read): Promise<Map<string, string>> {
  const rows = await read.select().from(catalogMethodologies)
  return new Map(rows.map(({ version, fingerprint }) => [version, fingerprint]))
}

export async function keepMethodology(
  tx: Tx,
  methodology: typeof catalogMethodologies.$inferInsert,
): Promise<void> {
  await tx.insert(catalogMethodologies).values(methodology).onConflictDoNothing()
}

export async function addRevision(tx: Tx, revision: Revision): Promise<void> {
  await tx.insert(catalogRevisions).values(revision)
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) yield all.slice(at, at + ROWS_AT_ONCE)
}
