// The table of votes on questions for which an approver rule says who may decide.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { AnswerSource } from '../../wire/question-fields.ts'
import type { PasskeySignature } from './passkey-signature.ts'

export const votes = sqliteTable(
  'votes',
  {
    questionId: text<QuestionId>('question_id').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    value: text('value').notNull(),
    note: text('note'),
    source: text<AnswerSource>('source'),
    proof: text('proof').notNull(),
    passkey: json<PasskeySignature | null>('passkey'),
    at: instant('at').notNull(),
    name: text('name').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.questionId, table.personId] }),
    index('votes_person').on(table.personId),
  ],
)
