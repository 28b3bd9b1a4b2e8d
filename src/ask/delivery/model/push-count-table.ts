import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { NotificationId, QuestionId, TokenId } from '../../../platform/ids.ts'

/** How many pushes of one token one person was sent in the minute that began at `windowAt`. */
export const pushCounts = sqliteTable(
  'push_counts',
  {
    tokenId: text<TokenId>('token_id').notNull(),
    /** A person; of a device that is nobody's, the device. */
    recipient: text('recipient').notNull(),
    windowAt: instant('window_at').notNull(),
    /** All of them, and the questions among them that are no permission asks. */
    pushes: count('pushes').notNull(),
    questions: count('questions').notNull(),
    /** Those that had no push of their own, and whose deliveries tell of all of them together. */
    more: count('more').notNull(),
    moreQuestions: count('more_questions').notNull(),
    moreSubject: text<QuestionId | NotificationId>('more_subject'),
  },
  (table) => [primaryKey({ columns: [table.tokenId, table.recipient] })],
)
