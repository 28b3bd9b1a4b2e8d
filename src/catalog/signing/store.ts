import { asc, desc, gt, inArray, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import { catalogManifests } from './table.ts'

export type StoredManifest = typeof catalogManifests.$inferSelect
export type NewManifest = typeof catalogManifests.$inferInsert

const { sequence, revision, issuedAt, changed, removed, paths } = catalogManifests

/** The newest manifest; undefined before the first. */
export async function latestManifest(read: Read): Promise<StoredManifest | undefined> {
  const [row] = await read.select().from(catalogManifests).orderBy(desc(sequence)).limit(1)
  return row
}

/** Only its sequence: 0 before the first. */
export async function latestSequence(read: Read): Promise<number> {
  const [row] = await read
    .select({ sequence })
    .from(catalogManifests)
    .orderBy(desc(sequence))
    .limit(1)
  return row?.sequence ?? 0
}

/** Adds the next one and deletes the bodies of earlier ones. False if it exists already. */
export async function addManifest(tx: Tx, manifest: NewManifest): Promise<boolean> {
  const added = await tx
    .insert(catalogManifests)
    .values(manifest)
    .onConflictDoNothing()
    .returning({ sequence })
  if (added.length === 0) return false
  await tx
    .update(catalogManifests)
    .set({ body: null })
    .where(lt(sequence, manifest.sequence ?? 0))
  return true
}

/** Reads the changes of each manifest after `after`, oldest first. */
export async function readChanges(read: Read, after: number) {
  return await read
    .select({ sequence, revision, issuedAt, changed, removed })
    .from(catalogManifests)
    .where(gt(sequence, after))
    .orderBy(asc(sequence))
}

/** The sequence of the oldest one whose changes are still known; undefined without any. */
export async function oldestSequence(read: Read): Promise<number | undefined> {
  const [row] = await read
    .select({ sequence })
    .from(catalogManifests)
    .orderBy(asc(sequence))
    .limit(1)
  return row?.sequence
}

/**
 * Deletes the oldest, so that at most `most` are left with at most `pathsMost` paths among them;
 * the newest always stays.
 */
export async function pruneManifests(tx: Tx, most: number, pathsMost: number): Promise<number> {
  const rows = await tx.select({ sequence, paths }).from(catalogManifests).orderBy(desc(sequence))
  let total = 0
  const old = rows.filter((row, i) => {
    total += row.paths
    return i > 0 && (i >= most || total > pathsMost)
  })
  if (old.length === 0) return 0
  await tx.delete(catalogManifests).where(
    inArray(
      sequence,
      old.map((row) => row.sequence),
    ),
  )
  return old.length
}
