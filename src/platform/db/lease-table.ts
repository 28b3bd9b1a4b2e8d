import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from './columns.ts'

/** Jobs that one process does at a time. */
export const leases = sqliteTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  until: instant('until').notNull(),
})
