import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { count, instant, json, text } from '../../../platform/db/columns.ts'
import type { WorkspaceId } from '../../../platform/ids.ts'

/** How the questions of a quarter of an hour ended; counts only, which outlive the questions. */
export const tallies = sqliteTable(
  'question_tallies',
  {
    workspaceId: text<WorkspaceId>('workspace_id').notNull(),
    /** Empty in the row that counts all of the workspace. */
    repoKey: text('repo_key').notNull(),
    /** When the quarter of an hour began. */
    at: instant('at').notNull(),
    byPerson: count('by_person').notNull(),
    byRule: count('by_rule').notNull(),
    unanswered: count('unanswered').notNull(),
    withdrawn: count('withdrawn').notNull(),
    /** How long people took: how many by step (`tally.ts`). */
    times: json<Record<string, number>>('times').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.repoKey, table.at] })],
)

/** Until when the ended questions of a workspace are counted. */
export const tallied = sqliteTable('question_tallied', {
  workspaceId: text<WorkspaceId>('workspace_id').primaryKey(),
  until: instant('until').notNull(),
})
