// The table of tokens for the policy file alone.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

export const policyTokens = sqliteTable(
  'policy_tokens',
  {
    id: text<Id<'ptk'>>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    /** SHA-256 of the token, hex. */
    hash: text('hash').notNull().unique(),
    tail: text('tail').notNull(),
    /** `read` compares and tries; `write` also applies. */
    may: text<'read' | 'write'>('may').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Who made it; null in rows of earlier versions. */
    createdBy: text<PersonId>('created_by'),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('policy_tokens_workspace').on(table.workspaceId)],
)
