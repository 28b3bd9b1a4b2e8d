import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import type { SubscriberId } from '../../../platform/ids.ts'
import type { DeliveryRow } from './store.ts'
import { deliveries } from './table.ts'

/**
 * The newest messages to a device that its service accepted or refused, the newest first; without
 * outcomes.
 */
export async function listLastDeliveries(
  read: Read,
  subscriberId: SubscriberId,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await read
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.subscriberId, subscriberId),
        inArray(deliveries.state, ['accepted', 'refused']),
      ),
    )
    .orderBy(desc(deliveries.createdAt))
    // Each question may be followed by its outcome.
    .limit(limit * 2)
  return rows.filter(({ message }) => message.kind !== 'outcome').slice(0, limit)
}
