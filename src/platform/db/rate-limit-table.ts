import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from './columns.ts'

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
