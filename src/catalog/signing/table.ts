import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../platform/db/columns.ts'

/** Manifests that were signed: the newest whole, those before it as what they changed. */
export const catalogManifests = sqliteTable('catalog_manifests', {
  sequence: count('sequence').primaryKey(),
  /** Of the publish that it is of. */
  revision: text('revision').notNull(),
  sha256: text('sha256').notNull(),
  issuedAt: instant('issued_at').notNull(),
  /** Paths that are new or have other bytes than in the manifest before, and those that are gone. */
  changed: json<string[]>('changed').notNull(),
  removed: json<string[]>('removed').notNull(),
  /** How many those are. */
  paths: count('paths').notNull(),
  /** The canonical JSON; only of the newest. */
  body: text('body'),
  kid: text('kid').notNull(),
  protectedHeader: text('protected_header').notNull(),
  signature: text('signature').notNull(),
})
