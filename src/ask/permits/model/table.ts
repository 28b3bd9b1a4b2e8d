// The table of permits: a yes that is bound to one action and used once.

import { sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { ActionOutcome, PermitId } from './permit.ts'

/** The permits of questions that were answered yes: one each at most. */
export const permits = sqliteTable(
  'permits',
  {
    id: text<PermitId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    questionId: text<QuestionId>('question_id').notNull(),
    tokenId: text<TokenId>('token_id').notNull(),
    actionHash: text('action_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    consumedAt: instant('consumed_at'),
    outcome: text<ActionOutcome>('outcome'),
    detail: text('detail'),
    outcomeAt: instant('outcome_at'),
  },
  (table) => [uniqueIndex('permits_question').on(table.questionId)],
)
