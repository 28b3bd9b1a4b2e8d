// The tables of receipts: signed decisions, and those that are not signed yet.

import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

/**
 * Decisions that are not signed yet, each written by the transaction that decided, with the policy
 * in force; signed within seconds, so that nobody who answers waits for it.
 */
export const unsignedReceipts = sqliteTable('unsigned_receipts', {
  questionId: text<QuestionId>('question_id').primaryKey(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  deliveryMode: text('delivery_mode').notNull(),
  waitMs: count('wait_ms').notNull(),
  decidedAt: instant('decided_at').notNull(),
})

/** Signed decisions. */
export const receipts = sqliteTable('receipts', {
  questionId: text<QuestionId>('question_id').primaryKey(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  /** The canonical JSON of a `ReceiptPayload`. */
  payload: text('payload').notNull(),
  signature: text('signature').notNull(),
  createdAt: instant('created_at').notNull(),
})
