import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, QuestionId, TokenId, WorkspaceId } from '../../../platform/ids.ts'
import { failovers, isPending, questions, snoozes } from './table.ts'

type Whose = { workspaceId: WorkspaceId; personId: PersonId }

/** The open questions of these tokens, whose time may be over. */
export async function listOpenOf(
  read: Read,
  workspaceId: WorkspaceId,
  tokens: readonly TokenId[],
): Promise<QuestionId[]> {
  if (tokens.length === 0) return []
  const rows = await read
    .select({ id: questions.id })
    .from(questions)
    .where(
      and(
        eq(questions.workspaceId, workspaceId),
        isPending,
        inArray(questions.tokenId, [...tokens]),
      ),
    )
  return rows.map(({ id }) => id)
}

/** Deletes everything that a person snoozed. */
export async function dropSnoozesOf(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(snoozes).where(eq(snoozes.personId, personId))
}

/** Takes a person out of the turns of open questions. */
export async function dropTurnsOf(tx: Tx, { workspaceId, personId }: Whose): Promise<void> {
  const rows = await tx
    .select()
    .from(failovers)
    .where(and(eq(failovers.workspaceId, workspaceId), isNotNull(failovers.dueAt)))
  for (const { questionId, people, dueAt } of rows) {
    if (!people.includes(personId)) continue
    const left = people.filter((one) => one !== personId)
    await tx
      .update(failovers)
      .set({ people: left, dueAt: left.length > 0 ? dueAt : null })
      .where(eq(failovers.questionId, questionId))
  }
}
