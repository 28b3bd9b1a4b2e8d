import { and, eq, sql } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { gateUpstreams } from './table.ts'
import type { ShownUpstream, Upstream } from './upstream.ts'

const ofName = (workspaceId: WorkspaceId, name: string) =>
  and(eq(gateUpstreams.workspaceId, workspaceId), eq(gateUpstreams.name, name))

export async function findUpstream(
  read: Read,
  workspaceId: WorkspaceId,
  name: string,
): Promise<Upstream | undefined> {
  const [row] = await findOne(read).execute({ workspaceId, name })
  return row && nullsToUndefined(row)
}

// Every request to a gate reads it.
const findOne = prepared((read: Read) =>
  read
    .select()
    .from(gateUpstreams)
    .where(
      and(
        eq(gateUpstreams.workspaceId, sql.placeholder('workspaceId')),
        eq(gateUpstreams.name, sql.placeholder('name')),
      ),
    )
    .prepare(),
)

/** The servers of a workspace by name, without their secrets. */
export async function listUpstreams(
  read: Read,
  workspaceId: WorkspaceId,
): Promise<ShownUpstream[]> {
  const { name, url, headerName, tokenId, changedAt } = gateUpstreams
  const rows = await read
    .select({ workspaceId: gateUpstreams.workspaceId, name, url, headerName, tokenId, changedAt })
    .from(gateUpstreams)
    .where(eq(gateUpstreams.workspaceId, workspaceId))
    .orderBy(name)
  return rows.map(nullsToUndefined)
}

/** Stores a server in place of the one with its name. */
export async function saveUpstream(tx: Tx, upstream: Upstream): Promise<void> {
  const { url, headerName = null, headerValue = null, tokenId = null, changedAt } = upstream
  await tx
    .insert(gateUpstreams)
    .values(upstream)
    .onConflictDoUpdate({
      target: [gateUpstreams.workspaceId, gateUpstreams.name],
      set: { url, headerName, headerValue, tokenId, changedAt },
    })
  tx.emit('gate', upstream.workspaceId)
}

/** False if there is none. */
export async function deleteUpstream(
  tx: Tx,
  workspaceId: WorkspaceId,
  name: string,
): Promise<boolean> {
  const rows = await tx
    .delete(gateUpstreams)
    .where(ofName(workspaceId, name))
    .returning({ name: gateUpstreams.name })
  if (rows.length > 0) tx.emit('gate', workspaceId)
  return rows.length > 0
}
