import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'

/**
 * The pages that people have in front of them. A page reports to one process; all processes read it
 * here.
 */
export const openPages = sqliteTable(
  'open_pages',
  {
    personId: text<PersonId>('person_id').notNull(),
    /** SHA-256 of the name that the page made up for itself. */
    page: text('page').notNull(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** When it last said that it is visible. */
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.personId, table.page] }),
    index('open_pages_seen').on(table.workspaceId, table.seenAt),
  ],
)
