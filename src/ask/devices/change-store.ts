import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../platform/db/database.ts'
import type { SubscriberId, WorkspaceId } from '../../platform/ids.ts'
import { findSubscriber, replaceTags } from './store.ts'
import type { Subscriber } from './subscriber.ts'
import { subscribers } from './table.ts'

/** Changes what is given of a device; undefined when it is gone. */
export async function changeSubscriber(
  tx: Tx,
  of: { workspaceId: WorkspaceId; id: SubscriberId },
  to: { label?: string; externalId?: string | null; tags?: string[] },
): Promise<Subscriber | undefined> {
  const { workspaceId, id } = of
  const { tags, label, externalId } = to
  const here = and(eq(subscribers.workspaceId, workspaceId), eq(subscribers.id, id))
  if (label !== undefined) await tx.update(subscribers).set({ label }).where(here)
  if (externalId !== undefined) await tx.update(subscribers).set({ externalId }).where(here)
  const found = await findSubscriber(tx, workspaceId, id)
  if (!found || !tags) return found
  await replaceTags(tx, workspaceId, id, tags)
  return { ...found, tags }
}
