import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'
import type { SubscriberKind } from './subscriber.ts'
import type { MessageSort } from './switches.ts'

/** What a person has switched off; without a row it is on. */
export const switchedOff = sqliteTable(
  'switched_off',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    sort: text<MessageSort>('sort').notNull(),
    kind: text<SubscriberKind>('kind').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.personId, table.sort, table.kind] })],
)
