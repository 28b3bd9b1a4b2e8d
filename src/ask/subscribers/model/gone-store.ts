import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { SubscriberId } from './subscriber.ts'
import { connectCodes, openPages, ownQuietHours, subscribers, switchedOff } from './table.ts'

/** From now on the device belongs to nobody, and stays the workspace's. */
export async function leaveToWorkspace(tx: Tx, id: SubscriberId): Promise<void> {
  await tx.update(subscribers).set({ personId: null }).where(eq(subscribers.id, id))
}

/** Deletes a person's connect codes, visible pages, switches and quiet hours in a workspace. */
export async function dropOwnSettings(
  tx: Tx,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
): Promise<void> {
  for (const table of [connectCodes, openPages, switchedOff, ownQuietHours]) {
    await tx
      .delete(table)
      .where(and(eq(table.workspaceId, workspaceId), eq(table.personId, personId)))
  }
}
