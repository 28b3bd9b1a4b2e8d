import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../platform/db/columns.ts'

/** Signed manifests: the newest as a whole, earlier ones as their changes. */
export const catalogManifests = sqliteTable('catalog_manifests', {
  sequence: count('sequence').primaryKey(),
  /** The sequence of its publish. */
  revision: text('revision').notNull(),
  sha256: text('sha256').notNull(),
  issuedAt: instant('issued_at').notNull(),
  /** Paths that are new or changed since the manifest before, and removed ones. */
  changed: json<string[]>('changed').notNull(),
  removed: json<string[]>('removed').notNull(),
  /** The number of those paths. */
  paths: count('paths').notNull(),
  /** The canonical JSON; only of the newest. */
  body: text('body'),
  kid: text('kid').notNull(),
  protectedHeader: text('protected_header').notNull(),
  signature: text('signature').notNull(),
})
