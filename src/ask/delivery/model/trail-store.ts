import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { type TimeRange, within } from '../../../platform/db/time-range.ts'
import type { WorkspaceId } from '../../../platform/ids.ts'
import type { DeliveryState } from './receipts.ts'
import type { DeliveryRow } from './store.ts'
import { deliveries } from './table.ts'

/** Deliveries that ended in one of these states, by time. */
export async function listEndedDeliveries(
  read: Read,
  workspaceId: WorkspaceId,
  states: readonly DeliveryState[],
  range: TimeRange,
): Promise<DeliveryRow[]> {
  return read
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.workspaceId, workspaceId),
        within(deliveries.endedAt, deliveries.id, range),
        inArray(deliveries.state, [...states]),
      ),
    )
    .orderBy(desc(deliveries.endedAt), desc(deliveries.id))
    .limit(range.limit)
}
