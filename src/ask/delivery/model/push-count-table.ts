import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { SubjectId, TokenId } from '../../../platform/ids.ts'

/** How many pushes of one token one person was sent in the minute that began at `windowAt`. */
export const pushCounts = sqliteTable(
  'push_counts',
  {
    tokenId: text<TokenId>('token_id').notNull(),
    /** A person; for a device without a person, the device. */
    recipient: text('recipient').notNull(),
    windowAt: instant('window_at').notNull(),
    /** All pushes, and the questions among them that are not permission requests. */
    pushes: count('pushes').notNull(),
    questions: count('questions').notNull(),
    /** Messages without a push of their own; one combined push announces all of them. */
    more: count('more').notNull(),
    moreQuestions: count('more_questions').notNull(),
    moreSubject: text<SubjectId>('more_subject'),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.recipient] })],
)
