import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, QuestionId } from '../../../platform/ids.ts'

/** Questions that a person does not want to see for a while; nobody else is concerned. */
export const snoozes = sqliteTable(
  'snoozes',
  {
    personId: text<PersonId>('person_id').notNull(),
    questionId: text<QuestionId>('question_id').notNull(),
    /** When the question comes back. */
    until: instant('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.questionId] }),
    index('snoozes_until').on(table.until),
    index('snoozes_question').on(table.questionId),
  ],
)
