// The table of changes of who may decide: proposed ones, and what owners are told of.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { GuardedChange } from '../../accounts/model/guarded-change.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

export const proposedChanges = sqliteTable(
  'proposed_changes',
  {
    /** The question by which it is decided, or that tells of it. */
    questionId: text<QuestionId>('question_id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** Null for a change that was made at once: owners are only told. */
    change: json<GuardedChange | null>('change'),
    /** The digest of what it changes, as it was when it was proposed. */
    basis: text('basis').notNull(),
    /** When people were told. */
    toldAt: instant('told_at'),
  },
  (table) => [
    index('proposed_changes_workspace').on(table.workspaceId),
    index('proposed_changes_told').on(table.toldAt),
  ],
)
