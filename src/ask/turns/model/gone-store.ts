import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import type { Whose } from '../../accounts/model/person-gone.ts'
import { instructions, quickReplies } from './table.ts'

/** Withdraws a person's instructions that wait. */
export async function withdrawOf(
  tx: Tx,
  { workspaceId, personId }: Whose,
  now: number,
): Promise<void> {
  await tx
    .update(instructions)
    .set({ state: 'withdrawn', endedAt: now })
    .where(
      and(
        eq(instructions.workspaceId, workspaceId),
        eq(instructions.personId, personId),
        eq(instructions.state, 'waiting'),
      ),
    )
}

export async function dropQuickReplies(tx: Tx, personId: Whose['personId']): Promise<void> {
  await tx.delete(quickReplies).where(eq(quickReplies.personId, personId))
}
