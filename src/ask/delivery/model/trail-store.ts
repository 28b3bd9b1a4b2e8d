import { and, asc, desc, inArray } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import { inTrail, type TimeRange } from '../../../platform/db/sql.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { SubjectId } from '../../wire/ids.ts'
import type { DeliveryState } from './channel.ts'
import type { DeliveryRow } from './store.ts'
import { deliveries } from './table.ts'

/** Where messages about something stand, device by device; without their texts. */
export type DeliveryTrace = Pick<
  DeliveryRow,
  'id' | 'subjectId' | 'subscriberId' | 'kind' | 'state' | 'endedAt' | 'shownAt' | 'openedAt'
> & { createdAt: number }

/** The deliveries about these questions and notifications, in the order they were made. */
export async function traceDeliveries(
  read: Read,
  subjects: ReadonlyArray<SubjectId>,
): Promise<DeliveryTrace[]> {
  if (subjects.length === 0) return []
  const { id, subjectId, subscriberId, kind, state, createdAt, endedAt, shownAt, openedAt } =
    deliveries
  return read
    .select({ id, subjectId, subscriberId, kind, state, createdAt, endedAt, shownAt, openedAt })
    .from(deliveries)
    .where(inArray(subjectId, [...subjects]))
    .orderBy(asc(createdAt), asc(id))
}

type EndedDeliveries = {
  states: readonly DeliveryState[]
  subjectIds?: readonly SubjectId[] | undefined
}

/** Deliveries that ended in one of these states, by time; with `subjectIds` those about these. */
export async function listEndedDeliveries(
  read: Read,
  workspaceId: WorkspaceId,
  { states, subjectIds }: EndedDeliveries,
  range: TimeRange,
): Promise<DeliveryRow[]> {
  return read
    .select()
    .from(deliveries)
    .where(
      and(
        inTrail(
          { workspaceId: deliveries.workspaceId, at: deliveries.endedAt, id: deliveries.id },
          workspaceId,
          range,
          subjectIds && inArray(deliveries.subjectId, [...subjectIds]),
        ),
        inArray(deliveries.state, [...states]),
      ),
    )
    .orderBy(desc(deliveries.endedAt), desc(deliveries.id))
    .limit(range.limit)
}
