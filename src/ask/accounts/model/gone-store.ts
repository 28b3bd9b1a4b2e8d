import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import { verification } from './auth-tables.ts'
import type { PersonId, WorkspaceId } from './ids.ts'
import { pairingCodes } from './table.ts'

/** Ends the unused invitations that this person made. */
export async function dropInvitationsBy(tx: Tx, inviter: PersonId): Promise<void> {
  await tx.delete(verification).where(eq(verification.invitedBy, inviter))
}

/** Ends a person's pairings in a workspace. */
export async function dropPairings(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
): Promise<void> {
  await tx
    .delete(pairingCodes)
    .where(and(eq(pairingCodes.workspaceId, workspaceId), eq(pairingCodes.personId, personId)))
}
