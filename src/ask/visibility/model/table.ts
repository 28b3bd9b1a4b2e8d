// The table of who sees a question or notification that is not their own.

import { index, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { text } from '../../../platform/db/columns.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { GroupId } from '../../groups/model/group.ts'
import type { SubjectId } from '../../wire/ids.ts'

export const viewers = sqliteTable(
  'viewers',
  {
    subjectId: text<SubjectId>('subject_id').notNull(),
    /** A person, or a group: whoever is in it at the time sees it. */
    who: text<PersonId | GroupId>('who').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subjectId, table.who] }),
    index('viewers_who').on(table.who, table.subjectId),
  ],
)
