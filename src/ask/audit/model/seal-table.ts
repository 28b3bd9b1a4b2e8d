import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'

/** Signed links of the chain over the rows of the audit trail. */
export const auditSeals = sqliteTable('audit_seals', {
  /** 1, 2, 3 …: without a gap, except where old ones were removed from the start. */
  seq: count('seq').primaryKey(),
  /** The canonical JSON of a `Seal`. */
  body: text('body').notNull(),
  signature: text('signature').notNull(),
  /** The latest time of the rows and facts that it seals; -1 where it seals none. */
  latestAt: instant('latest_at').notNull(),
  /** For a checkpoint: rows before this were removed. */
  purgedBefore: instant('purged_before'),
})
