// The tables of scopes: agreed contracts, what was widened, and the hooks that enforce them.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { flag, instant, json, text } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Contained } from '../../wire/hook-fields.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** Agreed contracts, by the scope question that was answered with yes. */
export const contracts = sqliteTable(
  'contracts',
  {
    questionId: text<QuestionId>('question_id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    sessionId: text('session_id').notNull(),
    allowedPaths: json<string[]>('allowed_paths').notNull(),
    offLimitsPaths: json<string[]>('off_limits_paths').notNull(),
    promises: json<string[]>('promises').notNull(),
    doneWhen: text('done_when').notNull(),
    /** The person changed the paths before they said yes. */
    edited: flag('edited').notNull(),
    /** From test traffic, which programs answer themselves: it holds for test traffic only. */
    test: flag('test').notNull(),
    ratifiedBy: text<PersonId>('ratified_by'),
    ratifiedAt: instant('ratified_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('contracts_session').on(
      table.workspaceId,
      table.sessionId,
      table.test,
      table.ratifiedAt,
      table.questionId,
    ),
  ],
)

/** Paths that a person added to a contract, by the question that was answered with yes. */
export const widenings = sqliteTable(
  'widenings',
  {
    questionId: text<QuestionId>('question_id').primaryKey(),
    contractId: text<QuestionId>('contract_id').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    path: text('path').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [index('widenings_contract').on(table.contractId, table.at, table.questionId)],
)

/** The hook that last reported a session, on each machine. */
export const hooks = sqliteTable(
  'hooks',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    sessionId: text('session_id').notNull(),
    machineId: text('machine_id').notNull(),
    client: text('client').notNull(),
    /**
     * The token that first reported it; not known for rows of an earlier version of this program.
     */
    tokenId: text<TokenId>('token_id'),
    clientVersion: text('client_version'),
    hookVersion: text('hook_version'),
    /** The contract that it reported. */
    contractEtag: text('contract_etag'),
    /** Null when it did not say. */
    contained: text<Contained>('contained'),
    examplePaths: json<string[]>('example_paths').notNull(),
    /** Null when it did not say. */
    gaps: json<string[]>('gaps'),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    /** When it reported the end of the session; any later report reopens it. */
    endedAt: instant('ended_at'),
    /** When it was noticed that the session continues without it. */
    missedAt: instant('missed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.sessionId, table.machineId] }),
    index('hooks_seen').on(table.workspaceId, table.lastSeenAt),
    index('hooks_last_seen').on(table.lastSeenAt),
  ],
)
