import { sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { TokenId, WorkspaceId } from '../../../platform/ids.ts'

/**
 * What each token keeps and has recently written. It is in the database so that every process sees
 * it.
 */
export const tokenUsage = sqliteTable('token_usage', {
  tokenId: text<TokenId>('token_id').primaryKey(),
  workspaceId: text<WorkspaceId>('workspace_id').notNull(),
  /** Its questions that have not ended. */
  openQuestions: count('open_questions').notNull(),
  /** The bytes of its questions and notifications, with their deliveries. */
  keptBytes: count('kept_bytes').notNull(),
  /** Bytes written recently; they stop counting at the rate of the limit from `recentAt` on. */
  recentBytes: count('recent_bytes').notNull(),
  recentAt: instant('recent_at').notNull(),
})
