import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from './columns.ts'

/** Secrets and keys made on the first run, which the server itself must remember. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Jobs that one process does at a time. */
export const leases = sqliteTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  until: instant('until').notNull(),
})

/** Attempts that all processes count together; a missing row means none. */
export const rateLimits = sqliteTable('rate_limits', {
  /**
   * The limit, and a hash of the counted key, so that addresses and e-mail addresses are not
   * stored.
   */
  key: text('key').primaryKey(),
  /** When the bucket is full again. */
  fullAt: instant('full_at').notNull(),
})
