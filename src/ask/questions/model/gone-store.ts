import { and, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { isPending, questions, snoozes } from './table.ts'

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
