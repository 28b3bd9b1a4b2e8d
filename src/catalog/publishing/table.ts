import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../platform/db/columns.ts'
import type { GradeHistoryItem } from '../records/grading.ts'

/** What a row of the published source is; each keeps its authored form as it was written. */
export type RecordKind =
  | 'settings'
  | 'methodology'
  | 'vendor'
  | 'tool'
  | 'review'
  | 'change'
  | 'removed'
  | 'keys'

/** Each publish, for good; the one with the highest sequence is served. */
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

/** The source as it was published last: one row a record. */
export const catalogRecords = sqliteTable(
  'catalog_records',
  {
    kind: text<RecordKind>('kind').notNull(),
    key: text('key').notNull(),
    /** Of the body, so that what did not change is left alone. */
    hash: text('hash').notNull(),
    body: json<unknown>('body').notNull(),
    addedAt: instant('added_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.key] })],
)

/** What each tool was graded, oldest first; nothing here is ever changed. */
export const catalogGrades = sqliteTable(
  'catalog_grades',
  {
    slug: text('slug').notNull(),
    /** Place in the history of the tool, from 0. */
    place: count('place').notNull(),
    /** Of the publish that wrote it. */
    sequence: count('sequence').notNull(),
    item: json<GradeHistoryItem>('item').notNull(),
  },
  (table) => [primaryKey({ columns: [table.slug, table.place] })],
)

/** Each methodology that grades were ever published under, so that one name means one content. */
export const catalogMethodologies = sqliteTable('catalog_methodologies', {
  version: text('version').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  sequence: count('sequence').notNull(),
})
