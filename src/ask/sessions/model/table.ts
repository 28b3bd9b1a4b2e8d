// The tables of working sessions, and of the terminals that people are at.

import { isNotNull } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { count, flag, instant, text } from '../../../platform/db/columns.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { AgentSessionId } from './session.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    session: true
  }
}

export const agentSessions = sqliteTable(
  'agent_sessions',
  {
    id: text<AgentSessionId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** Empty if its calls named no machine, so that the key never contains a null. */
    machineId: text('machine_id').notNull(),
    sessionId: text('session_id').notNull(),
    /** The token that reported it first; null for a row of an earlier version of this program. */
    tokenId: text<TokenId>('token_id'),
    agentName: text('agent_name'),
    client: text('client'),
    repoKey: text('repo_key'),
    /** The git branch it works on, or the commit of a detached work tree. */
    branch: text('branch'),
    /** The task that its agent last named. */
    intent: text('intent'),
    /** The name that the machine reports. */
    machineName: text('machine_name'),
    lastAction: text('last_action'),
    lastSeenAt: instant('last_seen_at').notNull(),
    erroredAt: instant('errored_at'),
    unanswered: count('unanswered').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Only test traffic has mentioned it. */
    test: flag('test').notNull().default(false),
  },
  (table) => [
    uniqueIndex('agent_sessions_key').on(table.workspaceId, table.machineId, table.sessionId),
    index('agent_sessions_seen').on(table.workspaceId, table.lastSeenAt),
    index('agent_sessions_repository')
      .on(table.workspaceId, table.repoKey, table.lastSeenAt)
      .where(isNotNull(table.repoKey)),
  ],
)

/** When a terminal on a machine was last active: the proof that a phone may stay silent. */
export const presence = sqliteTable(
  'presence',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    machineId: text('machine_id').notNull(),
    activeAt: instant('active_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.machineId] })],
)
