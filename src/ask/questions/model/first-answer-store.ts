import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Question } from './question.ts'
import { fromRow } from './row.ts'
import { isPending, questions } from './table.ts'

/** Whether a person has answered any question that is still stored. */
export async function hasAnswered(
  read: Read,
  workspaceId: WorkspaceId,
  personId: PersonId,
): Promise<boolean> {
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(and(eq(questions.workspaceId, workspaceId), eq(questions.answeredBy, personId)))
    .orderBy(desc(questions.id))
    .limit(1)
  return rows.length > 0
}

/** The newest question that a token asked. */
export async function findNewestOf(read: Read, tokenId: TokenId): Promise<Question | undefined> {
  const newest = (state: SQL) =>
    read
      .select()
      .from(questions)
      .where(and(eq(questions.tokenId, tokenId), state))
      .orderBy(desc(questions.id))
      .limit(1)
  // Written as in the indexes, each of which has a part of the questions.
  const [[open], [ended]] = await Promise.all([
    newest(isPending),
    newest(sql`${questions.status} <> 'pending'`),
  ])
  // Ids are in the order of time.
  const row = open && ended && open.id < ended.id ? ended : (open ?? ended)
  return row && fromRow(row)
}
