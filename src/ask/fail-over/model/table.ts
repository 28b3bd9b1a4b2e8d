// The table of fail-over: who is told next about a question that nobody answers.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** Fail-over of questions that nobody answers; a row for each question with fail-over. */
export const failovers = sqliteTable(
  'failovers',
  {
    questionId: text<QuestionId>('question_id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** How long each person has, in milliseconds. */
    everyMs: count('every_ms').notNull(),
    /** The people whose turn comes, the next one first. */
    people: json<PersonId[]>('people').notNull(),
    /** The people who were told, and when. */
    told: json<ToldPerson[]>('told').notNull(),
    /** When the next person is told; empty when nobody is left. */
    dueAt: instant('due_at'),
  },
  (table) => [index('failovers_due').on(table.dueAt)],
)

type ToldPerson = { personId: PersonId; at: number }
