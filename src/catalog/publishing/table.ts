import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../platform/db/columns.ts'
import type { GradeHistoryItem } from '../records/grading.ts'

/** The kinds of rows; each row has the record as it was written. */
export type RecordKind =
  | 'settings'
  | 'methodology'
  | 'vendor'
  | 'tool'
  | 'review'
  | 'change'
  | 'removed'
  | 'keys'

/** Every publish; the one with the highest sequence is served. */
export const catalogRevisions = sqliteTable(
  'catalog_revisions',
  {
    sequence: count('sequence').primaryKey(),
    revision: text('revision').notNull(),
    publishedAt: instant('published_at').notNull(),
    added: count('added').notNull(),
    updated: count('updated').notNull(),
    removed: count('removed').notNull(),
  },
  (table) => [index('catalog_revisions_revision').on(table.revision)],
)

/** The published source: one row for each record. */
export const catalogRecords = sqliteTable(
  'catalog_records',
  {
    kind: text<RecordKind>('kind').notNull(),
    key: text('key').notNull(),
    /** Hash of the body, so that unchanged records are not written. */
    hash: text('hash').notNull(),
    body: json<unknown>('body').notNull(),
    addedAt: instant('added_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.key] })],
)

/** The published grades of each tool, oldest first; rows are never changed. */
export const catalogGrades = sqliteTable(
  'catalog_grades',
  {
    slug: text('slug').notNull(),
    /** Place in the history of the tool, from 0. */
    place: count('place').notNull(),
    /** The sequence of the publish that wrote it. */
    sequence: count('sequence').notNull(),
    item: json<GradeHistoryItem>('item').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.place] })],
)

/**
 * Every methodology that grades were published with, so that a version always means the same
 * content.
 */
export const catalogMethodologies = sqliteTable('catalog_methodologies', {
  version: text('version').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  sequence: count('sequence').notNull(),
})
