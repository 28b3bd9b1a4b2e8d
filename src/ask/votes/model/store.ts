import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { nulled, placeholders, prepared } from '../../../platform/db/prepared.ts'
import { proposed } from '../../../platform/db/sql.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { votes } from './table.ts'
import type { Vote } from './vote.ts'

/**
 * Whoever votes holds this lock until commit: of two last votes at once, the second has to see the
 * first, or neither ends the question.
 */
export function lockVotes(tx: Tx, id: QuestionId): Promise<void> {
  return tx.lock(`votes on ${id}`)
}

/** Keeps a vote in the place of an earlier one of the same person. */
export async function putVote(tx: Tx, vote: Vote): Promise<void> {
  await putOne(tx).execute(nulled(vote))
}

const { questionId: _, personId: __, ...others } = getTableColumns(votes)
const changes = Object.entries(others).map(([name, column]) => [name, proposed(column)])

const putOne = prepared((tx: Tx) =>
  tx
    .insert(votes)
    .values(placeholders(votes))
    .onConflictDoUpdate({
      target: [votes.questionId, votes.personId],
      set: Object.fromEntries(changes),
    })
    .prepare(),
)

/** Takes a vote back; undefined if there is none. */
export async function dropVote(
  tx: Tx,
  questionId: QuestionId,
  personId: PersonId,
): Promise<Vote | undefined> {
  const [row] = await tx
    .delete(votes)
    .where(and(eq(votes.questionId, questionId), eq(votes.personId, personId)))
    .returning()
  return row && nullsToUndefined(row)
}

/** The votes on a question, the first one first. */
export async function listVotes(read: Read, questionId: QuestionId): Promise<Vote[]> {
  const rows = await findOf(read).execute({ questionId })
  return rows.map(nullsToUndefined)
}

const findOf = prepared((read: Read) =>
  read
    .select()
    .from(votes)
    .where(eq(votes.questionId, sql.placeholder('questionId')))
    .orderBy(asc(votes.at), asc(votes.personId))
    .prepare(),
)

/** The votes of one person in a workspace, the first one first. */
export async function listVotesOf(
  read: Read,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
): Promise<Vote[]> {
  const rows = await read
    .select()
    .from(votes)
    .where(and(eq(votes.personId, personId), eq(votes.workspaceId, workspaceId)))
    .orderBy(asc(votes.at), asc(votes.questionId))
  return rows.map(nullsToUndefined)
}

export async function deleteVotes(tx: Tx, ids: readonly QuestionId[]): Promise<void> {
  if (ids.length > 0) await tx.delete(votes).where(inArray(votes.questionId, [...ids]))
}
