// The table of reminders: when the people who were asked are reminded.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** When the people who were asked are reminded; a row for each followed question with reminders. */
export const reminders = sqliteTable(
  'reminders',
  {
    questionId: text<QuestionId>('question_id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** How long after the last message, in milliseconds. */
    everyMs: count('every_ms').notNull(),
    /** How many were sent. */
    sent: count('sent').notNull(),
    /** When the next one is sent; empty when none is left. */
    dueAt: instant('due_at'),
  },
  (table) => [index('reminders_due').on(table.dueAt)],
)
