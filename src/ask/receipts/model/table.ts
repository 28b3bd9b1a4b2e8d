import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { QuestionId, WorkspaceId } from '../../../platform/ids.ts'

/** Signed decisions, each written by the transaction that decided. */
export const receipts = sqliteTable('receipts', {
  questionId: text<QuestionId>('question_id').primaryKey(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  /** The canonical JSON of a `ReceiptPayload`. */
  payload: text('payload').notNull(),
  signature: text('signature').notNull(),
  createdAt: instant('created_at').notNull(),
})
