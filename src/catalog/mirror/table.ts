import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { bytes, count, flag, instant, text } from '../../platform/db/columns.ts'

/** The source of this mirror: one row named `mirror`; none if the server serves its own catalog. */
export const catalogMirrors = sqliteTable('catalog_mirrors', {
  name: text('name').primaryKey(),
  /** The address of the source, without a slash at the end. */
  source: text('source').notNull(),
  /** The key that signed last; the next manifest must follow from it. */
  kid: text('kid').notNull(),
  allowStale: flag('allow_stale').notNull(),
  /** Hashes of the served manifest and of the one before it; empty before the first. */
  manifest: text('manifest').notNull(),
  previous: text('previous').notNull(),
  /** Sequence of that manifest; 0 before the first. */
  sequence: count('sequence').notNull(),
  revision: text('revision').notNull(),
  baseUrl: text('base_url').notNull(),
  issuedAt: instant('issued_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** The source's ETag of the manifest. */
  etag: text('etag').notNull(),
  /**
   * When the manifest was fetched, when the source last gave a valid answer, and when it is asked
   * again.
   */
  fetchedAt: instant('fetched_at').notNull(),
  checkedAt: instant('checked_at').notNull(),
  nextAt: instant('next_at').notNull(),
  /** The number of failures in a row, and the last one. */
  failures: count('failures').notNull(),
  problem: text('problem').notNull(),
})

/** The files that each manifest lists, with itself and its signature. */
export const catalogMirrorFiles = sqliteTable(
  'catalog_mirror_files',
  {
    /** Hash of the manifest. */
    manifest: text('manifest').notNull(),
    path: text('path').notNull(),
    type: text('type').notNull(),
    sha256: text('sha256').notNull(),
    size: count('size').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.manifest, table.path] }),
    index('catalog_mirror_files_sha256').on(table.sha256),
  ],
)

/** Files by the hash of their bytes; in the database, so that backups contain them. */
export const catalogMirrorBlobs = sqliteTable('catalog_mirror_blobs', {
  sha256: text('sha256').primaryKey(),
  body: bytes('body').notNull(),
})
