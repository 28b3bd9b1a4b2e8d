// The table of fail-over: who is told next about a question that nobody decides.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { Step, TimedRecipient } from './step.ts'

/** Who is told next about a question; a row for each question with steps, or under approver rules. */
export const failovers = sqliteTable(
  'failovers',
  {
    questionId: text<QuestionId>('question_id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** The steps that are left, the next one first. */
    steps: json<Step[]>('steps'),
    /** Who was told, and when. */
    told: json<TimedRecipient[]>('told').notNull(),
    /** Whose quiet hours end when. */
    waiting: json<TimedRecipient[]>('waiting'),
    /** When the next step is due; empty when none is left. */
    stepAt: instant('step_at'),
    /** When somebody is told next: by a step, or because quiet hours end; empty when nobody is. */
    dueAt: instant('due_at'),
  },
  (table) => [index('failovers_due').on(table.dueAt)],
)
