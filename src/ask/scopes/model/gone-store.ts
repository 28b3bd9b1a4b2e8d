import { and, eq, gt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { contracts } from './table.ts'

type Whose = { workspaceId: WorkspaceId; personId: PersonId }

/** The ids of the sessions whose scope this person agreed to and that is not over at `now`. */
export async function listRatifiedBy(read: Read, whose: Whose, now: number): Promise<string[]> {
  const rows = await read
    .selectDistinct({ sessionId: contracts.sessionId })
    .from(contracts)
    .where(ratifiedBy(whose, now))
  return rows.map(({ sessionId }) => sessionId)
}

/** Ends the scopes that this person agreed to. */
export async function endContractsOf(tx: Tx, whose: Whose, now: number): Promise<void> {
  await tx.update(contracts).set({ expiresAt: now }).where(ratifiedBy(whose, now))
}

function ratifiedBy({ workspaceId, personId }: Whose, now: number) {
  return and(
    eq(contracts.workspaceId, workspaceId),
    eq(contracts.ratifiedBy, personId),
    gt(contracts.expiresAt, now),
  )
}
