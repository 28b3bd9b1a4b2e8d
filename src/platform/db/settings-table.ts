import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from './columns.ts'

/** What the server itself must remember: secrets and keys made on the first run. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
