import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Read } from '../../platform/db/database.ts'
import { type Stretch, within } from '../../platform/db/stretch.ts'
import type { WorkspaceId } from '../../platform/ids.ts'
import type { DeliveryState } from './receipts.ts'
import type { DeliveryRow } from './store.ts'
import { deliveries } from './table.ts'

/** Deliveries by when they ended in one of these states. */
export async function listEndedDeliveries(
  read: Read,
  workspaceId: WorkspaceId,
  states: readonly DeliveryState[],
  stretch: Stretch,
): Promise<DeliveryRow[]> {
  return read
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.workspaceId, workspaceId),
        within(deliveries.endedAt, deliveries.id, stretch),
        inArray(deliveries.state, [...states]),
      ),
    )
    .orderBy(desc(deliveries.endedAt), desc(deliveries.id))
    .limit(stretch.limit)
}
