// The tables of groups of people.

import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant, text } from '../../../platform/db/columns.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { GroupId, GroupSource } from './group.ts'

declare module '../../../platform/db/change-bus.ts' {
  interface Topics {
    /** A group or its people changed; `id` is the workspace. */
    group: true
  }
}

export const groups = sqliteTable(
  'groups',
  {
    id: text<GroupId>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    source: text<GroupSource>('source').notNull(),
    externalId: text('external_id'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [uniqueIndex('groups_name').on(table.workspaceId, table.name)],
)

export const groupMembers = sqliteTable(
  'group_members',
  {
    groupId: text<GroupId>('group_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    source: text<GroupSource>('source').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.personId, table.source] }),
    index('group_members_person').on(table.personId),
  ],
)
