// The table of grants: calls that people allowed for a while.

import { isNull } from 'drizzle-orm'
import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { GrantLength } from '../../questions/model/question.ts'
import type { QuestionId } from '../../wire/ids.ts'
import type { GrantEnd, GrantId } from './grant.ts'

/** Grants: calls that people allowed for a while, and what became of them. */
export const grants = sqliteTable(
  'grants',
  {
    id: text<GrantId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    tokenId: text<TokenId>('token_id').notNull(),
    machineId: text('machine_id').notNull(),
    sessionId: text('session_id').notNull(),
    toolName: text('tool_name').notNull(),
    cwd: text('cwd').notNull(),
    argumentsHash: text('arguments_hash').notNull(),
    length: text<GrantLength>('length').notNull(),
    questionId: text<QuestionId>('question_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    agentName: text('agent_name'),
    action: text('action').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    uses: count('uses').notNull().default(0),
    usedAt: instant('used_at'),
    endedAt: instant('ended_at'),
    endedBecause: text<GrantEnd>('ended_because'),
  },
  (table) => [
    index('grants_live')
      .on(table.workspaceId, table.sessionId, table.argumentsHash)
      .where(isNull(table.endedAt)),
    index('grants_ended').on(table.expiresAt),
  ],
)
