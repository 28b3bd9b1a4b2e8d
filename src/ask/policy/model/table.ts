// The tables of the policy and its rules: how a workspace wants to be asked.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { PolicyChanges } from './policy.ts'
import type { PolicyOrigin } from './policy-origin.ts'
import type { Protect } from './protect.ts'
import type { RuleDecision, RuleId, RuleSet } from './rule.ts'
import type { RuleApprove } from './rule-approve.ts'
import type { RuleMatch } from './rule-match.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    /** `id` is the workspace. */
    policy: true
  }
}

/** The fields of the default policy that a workspace changed. */
export const policies = sqliteTable('policies', {
  workspaceId: text<WorkspaceId>('workspace_id').primaryKey(),
  changes: json<PolicyChanges>('changes').notNull(),
  updatedAt: instant('updated_at').notNull(),
  /** Where policy and rules come from, if pages may not change them. */
  file: json<PolicyOrigin | null>('file'),
  /** Who has to agree to changes of who may decide. */
  protect: json<Protect | null>('protect'),
})

export const rules = sqliteTable(
  'rules',
  {
    id: text<RuleId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    match: json<RuleMatch>('match').notNull(),
    set: json<RuleSet>('set').notNull(),
    decision: text<RuleDecision>('decision'),
    approve: json<RuleApprove | null>('approve'),
    mode: text<'watch'>('mode'),
    name: text('name'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('rules_workspace').on(table.workspaceId, table.id)],
)
