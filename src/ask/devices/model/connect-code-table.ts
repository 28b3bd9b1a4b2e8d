import { index, sqliteTable } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'

/** One-time codes with which a person connects a chat by sending the code from there. */
export const connectCodes = sqliteTable(
  'connect_codes',
  {
    /** SHA-256 of the code. */
    hash: text('hash').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    /** The channel it is for. */
    transport: text('transport').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('connect_codes_person').on(table.personId, table.transport)],
)
