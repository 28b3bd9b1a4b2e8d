// The table of claims: who said that they look after a question, and until when.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** A row for each person who ever took a question: once each. */
export const claims = sqliteTable(
  'claims',
  {
    questionId: text<QuestionId>('question_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** When it ends, or ended. */
    until: instant('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.questionId, table.personId] }),
    index('claims_person').on(table.personId, table.until),
  ],
)
