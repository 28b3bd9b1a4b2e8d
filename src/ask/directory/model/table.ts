// The tables of directories: what pushes people here, its tokens, and the people that it made.

import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant, json, text } from '../../../platform/db/columns.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { ScimUser } from './user.ts'

export const directories = sqliteTable(
  'directories',
  {
    id: text<Id<'dir'>>('id').primaryKey(),
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('directories_workspace').on(table.workspaceId)],
)

export const directoryTokens = sqliteTable(
  'directory_tokens',
  {
    id: text<Id<'dtk'>>('id').primaryKey(),
    directoryId: text<Id<'dir'>>('directory_id').notNull(),
    /** SHA-256 of the token, hex. */
    hash: text('hash').notNull().unique(),
    tail: text('tail').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('directory_tokens_directory').on(table.directoryId)],
)

export const directoryPeople = sqliteTable(
  'directory_people',
  {
    id: text<Id<'usr'>>('id').primaryKey(),
    directoryId: text<Id<'dir'>>('directory_id').notNull(),
    personId: text<PersonId>('person_id').notNull(),
    /** In small letters: names are compared so. */
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    /** As the directory wrote it. */
    attributes: json<ScimUser>('attributes').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** When the directory deleted it: it is in no list, and comes back if it is made again. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    uniqueIndex('directory_people_name').on(table.directoryId, table.userName),
    index('directory_people_person').on(table.personId),
  ],
)
