import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../../platform/ids.ts'
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
