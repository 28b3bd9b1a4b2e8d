import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { bytes, count, flag, instant, text } from '../../platform/db/columns.ts'

/** What this server is a mirror of: one row, named `mirror`; none when it serves its own catalog. */
export const catalogMirrors = sqliteTable('catalog_mirrors', {
  name: text('name').primaryKey(),
  /** Where it is read; without a slash at the end. */
  source: text('source').notNull(),
  /** The key that signed last, and that the next manifest must follow from. */
  kid: text('kid').notNull(),
  allowStale: flag('allow_stale').notNull(),
  /** Of the manifest that is served, and of the one before it; empty before the first. */
  manifest: text('manifest').notNull(),
  previous: text('previous').notNull(),
  /** Of that manifest; 0 before the first. */
  sequence: count('sequence').notNull(),
  revision: text('revision').notNull(),
  baseUrl: text('base_url').notNull(),
  issuedAt: instant('issued_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  /** As the source called the manifest. */
  etag: text('etag').notNull(),
  /** When the manifest came, when the source last said anything that holds, and when it is asked again. */
  fetchedAt: instant('fetched_at').notNull(),
  checkedAt: instant('checked_at').notNull(),
  nextAt: instant('next_at').notNull(),
  /** How often in a row it went wrong, and how the last time. */
  failures: count('failures').notNull(),
  problem: text('problem').notNull(),
})

/** What each manifest lists, itself and its signature among it. */
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

/** Files by the hash of their bytes; in the database, so that a backup has them. */
export const catalogMirrorBlobs = sqliteTable('catalog_mirror_blobs', {
  sha256: text('sha256').primaryKey(),
  body: bytes('body').notNull(),
})
