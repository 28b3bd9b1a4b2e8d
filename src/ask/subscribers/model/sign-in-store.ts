import { and, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId } from '../../accounts/model/ids.ts'
import type { SubscriberId } from './subscriber.ts'
import { subscribers } from './table.ts'

/** Records the sign-in of the browser that a device is, if the device is this person's. */
export async function linkSignIn(
  tx: Tx,
  id: SubscriberId,
  { id: signInId, personId }: { id: string; personId: PersonId },
): Promise<void> {
  await tx
    .update(subscribers)
    .set({ signInId })
    .where(and(eq(subscribers.id, id), eq(subscribers.personId, personId)))
}

/** A browser has another sign-in of the same person now: its devices follow. */
export async function moveSignIn(
  tx: Tx,
  from: string,
  to: { id: string; personId: PersonId },
): Promise<void> {
  await tx
    .update(subscribers)
    .set({ signInId: to.id })
    .where(and(eq(subscribers.signInId, from), eq(subscribers.personId, to.personId)))
}

/** The devices that were connected from these sign-ins, by the id of the sign-in. */
export async function devicesOfSignIns(read: Read, signInIds: readonly string[]) {
  if (signInIds.length === 0) return new Map<string, Array<Linked>>()
  const rows = await read
    .select({
      id: subscribers.id,
      label: subscribers.label,
      workspaceId: subscribers.workspaceId,
      personId: subscribers.personId,
      signInId: subscribers.signInId,
    })
    .from(subscribers)
    .where(inArray(subscribers.signInId, [...signInIds]))
    .orderBy(subscribers.id)
  return Map.groupBy(rows, ({ signInId }) => signInId ?? '')
}

type Linked = Pick<
  typeof subscribers.$inferSelect,
  'id' | 'label' | 'workspaceId' | 'personId' | 'signInId'
>
