import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from './columns.ts'

/** Attempts that are counted together by every process; a missing row has had none. */
export const rateLimits = sqliteTable('rate_limits', {
  /** The limit, and a hash of what is counted: addresses and e-mail addresses are not stored. */
  key: text('key').primaryKey(),
  /** When as many attempts as ever are left. */
  fullAt: instant('full_at').notNull(),
})
