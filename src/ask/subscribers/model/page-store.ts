import { and, asc, count, eq, lt } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { readSubscribers } from './store.ts'
import type { Subscriber, SubscriberId } from './subscriber.ts'
import { subscribers } from './table.ts'

/** How many devices a workspace has. */
export async function countSubscribers(read: Read, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await read
    .select({ devices: count() })
    .from(subscribers)
    .where(eq(subscribers.workspaceId, workspaceId))
  return row?.devices ?? 0
}

/** The devices from index `offset` on, the oldest first. */
export async function listSubscriberPage(
  read: Read,
  workspaceId: WorkspaceId,
  { offset, limit }: { offset: number; limit: number },
): Promise<Subscriber[]> {
  const rows = await read
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(eq(subscribers.workspaceId, workspaceId))
    .orderBy(asc(subscribers.id))
    .limit(limit)
    .offset(offset)
  return await inOrder(read, rows)
}

async function inOrder(
  read: Read,
  rows: ReadonlyArray<{ id: SubscriberId }>,
): Promise<Subscriber[]> {
  const ids = rows.map(({ id }) => id)
  const byId = await readSubscribers(read, ids)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The devices of a person, the oldest first. */
export async function listOwnSubscribers(
  read: Read,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
): Promise<Subscriber[]> {
  const rows = await read
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(eq(subscribers.workspaceId, workspaceId), eq(subscribers.personId, personId)))
    .orderBy(asc(subscribers.id))
  return await inOrder(read, rows)
}

/** The index of a device among all of its workspace; undefined if it is not there. */
export async function placeOfSubscriber(
  read: Read,
  workspaceId: WorkspaceId,
  id: SubscriberId,
): Promise<number | undefined> {
  const here = eq(subscribers.workspaceId, workspaceId)
  const rows = await read
    .select({ id: subscribers.id })
    .from(subscribers)
    .where(and(here, eq(subscribers.id, id)))
  if (rows.length === 0) return undefined
  const [row] = await read
    .select({ older: count() })
    .from(subscribers)
    .where(and(here, lt(subscribers.id, id)))
  return row?.older ?? 0
}
