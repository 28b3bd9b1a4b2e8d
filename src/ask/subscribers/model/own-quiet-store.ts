import { and, eq } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuietHours } from './quiet-hours.ts'
import { ownQuietHours } from './table.ts'

type Whose = { workspaceId: WorkspaceId; personId: PersonId }

/** The quiet hours of each person who has any. */
export async function readOwnQuietHours(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<ReadonlyMap<PersonId, QuietHours>> {
  const rows = await read
    .select()
    .from(ownQuietHours)
    .where(eq(ownQuietHours.workspaceId, workspaceId))
  return new Map(rows.map(({ personId, hours }) => [personId, hours]))
}

/** Sets the quiet hours of a person; null: none. */
export async function putOwnQuietHours(
  tx: Tx,
  { workspaceId, personId }: Whose,
  hours: QuietHours | null,
): Promise<void> {
  if (hours) {
    await tx
      .insert(ownQuietHours)
      .values({ workspaceId, personId, hours })
      .onConflictDoUpdate({
        target: [ownQuietHours.workspaceId, ownQuietHours.personId],
        set: { hours },
      })
    return
  }
  await tx
    .delete(ownQuietHours)
    .where(and(eq(ownQuietHours.workspaceId, workspaceId), eq(ownQuietHours.personId, personId)))
}
