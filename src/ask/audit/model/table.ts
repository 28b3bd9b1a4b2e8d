// The tables of the audit trail: its rows, and the signed links over them.

import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { AuditId, RecordedKind } from './audit.ts'

export const audit = sqliteTable(
  'audit',
  {
    id: text<AuditId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    at: instant('at').notNull(),
    kind: text<RecordedKind>('kind').notNull(),
    personId: text<PersonId>('person_id'),
    personName: text('person_name'),
    tokenId: text<TokenId>('token_id'),
    subjectId: text('subject_id'),
    subjectName: text('subject_name'),
    detail: text('detail'),
    /** The link of the chain that seals it (`seal.ts`); null until then. */
    seal: count('seal'),
  },
  (table) => [
    index('audit_workspace').on(table.workspaceId, table.at, table.id),
    index('audit_subject').on(table.subjectId),
    index('audit_at').on(table.at, table.id),
    index('audit_seal').on(table.seal, table.at, table.id),
  ],
)

/** Signed links of the chain over the rows of the audit trail. */
export const auditSeals = sqliteTable('audit_seals', {
  /** 1, 2, 3 …: without a gap, except where old ones were removed from the start. */
  seq: count('seq').primaryKey(),
  /** The canonical JSON of a `Seal`. */
  body: text('body').notNull(),
  signature: text('signature').notNull(),
  /** The latest time of the rows and facts that it seals; -1 where it seals none. */
  latestAt: instant('latest_at').notNull(),
  /** For a checkpoint: rows before this were removed. */
  purgedBefore: instant('purged_before'),
})
