import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { proposedChanges } from './table.ts'

/** A change that waits for agreement, or that people are to be told of. */
export type ProposedChange = typeof proposedChanges.$inferSelect

export async function addProposal(tx: Tx, proposal: ProposedChange): Promise<void> {
  await tx.insert(proposedChanges).values(proposal)
}

/** The changes of a workspace that wait for agreement, the oldest first. */
export async function listProposals(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<ProposedChange[]> {
  return await read
    .select()
    .from(proposedChanges)
    .where(and(eq(proposedChanges.workspaceId, workspaceId), isNotNull(proposedChanges.change)))
    .orderBy(asc(proposedChanges.questionId))
}

/** Takes out a proposal whose question has ended: what it was to change is stored no longer. */
export async function takeProposal(tx: Tx, id: QuestionId): Promise<ProposedChange | undefined> {
  const [row] = await tx
    .delete(proposedChanges)
    .where(eq(proposedChanges.questionId, id))
    .returning()
  return row
}

/** Those that nobody was told of yet, the oldest first. */
export async function listUntold(read: Read, limit: number): Promise<ProposedChange[]> {
  return await read
    .select()
    .from(proposedChanges)
    .where(isNull(proposedChanges.toldAt))
    .orderBy(asc(proposedChanges.questionId))
    .limit(limit)
}

/** Notes that people are told; false if another process does. */
export async function markTold(tx: Tx, id: QuestionId, at: number): Promise<boolean> {
  const rows = await tx
    .update(proposedChanges)
    .set({ toldAt: at })
    .where(and(eq(proposedChanges.questionId, id), isNull(proposedChanges.toldAt)))
    .returning({ id: proposedChanges.questionId })
  return rows.length > 0
}
