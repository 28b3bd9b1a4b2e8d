import { and, eq, ne } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { Person } from './person.ts'
import { members } from './table.ts'

type Who = Pick<Person, 'id' | 'workspaceId'>

/** Returns true if this person's answers on pages can be taken back for a moment. */
export async function hasUndo(read: Read, who: Who): Promise<boolean> {
  const [row] = await read.select({ hasUndo: members.hasUndo }).from(members).where(isWho(who))
  return row?.hasUndo ?? false
}

/** Switches it on or off; false if it already was so. */
export async function setUndo(tx: Tx, who: Who, on: boolean): Promise<boolean> {
  const rows = await tx
    .update(members)
    .set({ hasUndo: on })
    .where(and(isWho(who), ne(members.hasUndo, on)))
    .returning({ id: members.personId })
  return rows.length > 0
}

function isWho({ id, workspaceId }: Who) {
  return and(eq(members.workspaceId, workspaceId), eq(members.personId, id))
}
