import { and, eq, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'
import type { Off } from './switches.ts'
import { switchedOff } from './table.ts'

// Every question that reaches a person's device reads them.
const findAll = prepared((read: Read) =>
  read
    .select()
    .from(switchedOff)
    .where(eq(switchedOff.workspaceId, sql.placeholder('workspaceId')))
    .prepare(),
)

/** What each person of a workspace has switched off for their devices. */
export async function readSwitchedOff(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<Map<PersonId, Off[]>> {
  const rows = await findAll(read).execute({ workspaceId })
  const found = new Map<PersonId, Off[]>()
  for (const { personId, sort, kind } of rows) {
    found.set(personId, [...(found.get(personId) ?? []), { sort, kind }])
  }
  return found
}

/** Switches one sort on or off for one kind of a person's devices; false if it already was so. */
export async function setSwitch(
  tx: Tx,
  of: { workspaceId: WorkspaceId; personId: PersonId },
  { sort, kind, on }: Off & { on: boolean },
): Promise<boolean> {
  const { workspaceId, personId } = of
  const row = { workspaceId, personId, sort, kind }
  if (!on) {
    const put = await tx.insert(switchedOff).values(row).onConflictDoNothing().returning()
    return put.length > 0
  }
  const here = and(
    eq(switchedOff.workspaceId, workspaceId),
    eq(switchedOff.personId, personId),
    eq(switchedOff.sort, sort),
    eq(switchedOff.kind, kind),
  )
  const gone = await tx.delete(switchedOff).where(here).returning()
  return gone.length > 0
}
