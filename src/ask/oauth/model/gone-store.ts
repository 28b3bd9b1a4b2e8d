import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { oauthClients } from './table.ts'

/** Gives the clients that a person set up by hand to another. */
export async function passClientsOn(
  tx: Tx,
  of: { workspaceId: WorkspaceId; from: PersonId; to: PersonId },
): Promise<void> {
  await tx
    .update(oauthClients)
    .set({ createdBy: of.to })
    .where(and(eq(oauthClients.workspaceId, of.workspaceId), eq(oauthClients.createdBy, of.from)))
}
