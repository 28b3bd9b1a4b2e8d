import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../platform/db/database.ts'
import { catalogMirrorBlobs, catalogMirrorFiles, catalogMirrors } from './table.ts'

export type MirrorState = Omit<typeof catalogMirrors.$inferSelect, 'name'>
export type MirrorFile = Omit<typeof catalogMirrorFiles.$inferSelect, 'manifest'>
export type Blob = { sha256: string; body: Uint8Array }

const NAME = 'mirror'
// SQLite takes 32,766 values in a statement; a file has five.
const ROWS_AT_ONCE = 500

/** The source that this server mirrors; undefined if it is not a mirror. */
export async function readMirror(read: Read): Promise<MirrorState | undefined> {
  const [row] = await read.select().from(catalogMirrors).where(eq(catalogMirrors.name, NAME))
  if (!row) return undefined
  const { name: _, ...state } = row
  return state
}

export async function putMirror(tx: Tx, state: MirrorState): Promise<void> {
  await tx
    .insert(catalogMirrors)
    .values({ ...state, name: NAME })
    .onConflictDoUpdate({ target: catalogMirrors.name, set: state })
}

/** Changes some of its fields if it still serves `manifest` of `source`; false if it does not. */
export async function updateMirror(
  tx: Tx,
  of: Pick<MirrorState, 'source' | 'manifest'>,
  change: Partial<MirrorState>,
): Promise<boolean> {
  const { name, source, manifest } = catalogMirrors
  const updated = await tx
    .update(catalogMirrors)
    .set(change)
    .where(and(eq(name, NAME), eq(source, of.source), eq(manifest, of.manifest)))
    .returning({ name })
  return updated.length > 0
}

/** Deletes the mirror with everything that was fetched. */
export async function dropMirror(tx: Tx): Promise<boolean> {
  const rows = await tx.delete(catalogMirrors).returning({ name: catalogMirrors.name })
  await tx.delete(catalogMirrorFiles)
  await tx.delete(catalogMirrorBlobs)
  return rows.length > 0
}

/** The next `limit` files of a manifest after `after`, by path. */
export async function readFiles(
  read: Read,
  manifest: string,
  after: string,
  limit: number,
): Promise<MirrorFile[]> {
  const files = catalogMirrorFiles
  return await read
    .select({ path: files.path, type: files.type, sha256: files.sha256, size: files.size })
    .from(files)
    .where(and(eq(files.manifest, manifest), gt(files.path, after)))
    .orderBy(asc(files.path))
    .limit(limit)
}

/** Stores files of a manifest; existing rows stay. */
export async function addFiles(
  tx: Tx,
  manifest: string,
  files: readonly MirrorFile[],
): Promise<void> {
  for (const some of inParts(files)) {
    await tx
      .insert(catalogMirrorFiles)
      .values(some.map((file) => ({ ...file, manifest })))
      .onConflictDoNothing()
  }
}

/** How many files of a manifest are listed, and how many of those have their bytes here. */
export async function countFiles(read: Read, manifest: string) {
  const files = catalogMirrorFiles
  const blobs = catalogMirrorBlobs
  const [row] = await read
    .select({
      files: sql`count(*)`.mapWith(Number),
      present: sql`count(${blobs.sha256})`.mapWith(Number),
    })
    .from(files)
    .leftJoin(blobs, eq(blobs.sha256, files.sha256))
    .where(eq(files.manifest, manifest))
  return row ?? { files: 0, present: 0 }
}

/** Lists those of these files that are here. */
export async function presentBlobs(read: Read, hashes: readonly string[]): Promise<Set<string>> {
  const present = new Set<string>()
  const { sha256 } = catalogMirrorBlobs
  for (const some of inParts(hashes)) {
    const rows = await read
      .select({ sha256 })
      .from(catalogMirrorBlobs)
      .where(inArray(sha256, [...some]))
    for (const row of rows) present.add(row.sha256)
  }
  return present
}

export async function readBlob(read: Read, sha256: string): Promise<Uint8Array | undefined> {
  const blobs = catalogMirrorBlobs
  const [row] = await read.select({ body: blobs.body }).from(blobs).where(eq(blobs.sha256, sha256))
  return row?.body
}

export async function addBlobs(tx: Tx, blobs: readonly Blob[]): Promise<void> {
  if (blobs.length === 0) return
  const rows = blobs.map(({ sha256, body }) => ({ sha256, body: Buffer.from(body) }))
  await tx.insert(catalogMirrorBlobs).values(rows).onConflictDoNothing()
}

/** Deletes every file that none of these manifests lists; returns how many bodies. */
export async function sweepMirror(tx: Tx, manifests: readonly string[]): Promise<number> {
  const files = catalogMirrorFiles
  const blobs = catalogMirrorBlobs
  await tx.delete(files).where(notInArray(files.manifest, [...manifests]))
  const referenced = tx.select({ sha256: files.sha256 }).from(files)
  const rows = await tx
    .delete(blobs)
    .where(notInArray(blobs.sha256, referenced))
    .returning({ sha256: blobs.sha256 })
  return rows.length
}

function* inParts<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) yield all.slice(at, at + ROWS_AT_ONCE)
}
