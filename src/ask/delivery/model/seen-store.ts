import { and, asc, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { SubscriberId } from '../../subscribers/model/subscriber.ts'
import type { SubjectId } from '../../wire/ids.ts'
import type { Message } from './channel.ts'
import type { DeliveryRow } from './store.ts'
import { deliveries } from './table.ts'

/** A device's report about a message; `kind` tells a question from its outcome. */
export type Display = {
  subscriberId: SubscriberId
  /** As the device sent it: possibly not a valid id. */
  subjectId: string
  kind: Message['kind'] | undefined
  what: 'shown' | 'opened'
  at: number
}

/**
 * Records when a device first showed or opened a message: `new`; `known` if it was recorded before;
 * `unknown` if this device was sent no such message (a test, or one removed since).
 */
export async function recordDisplay(
  tx: Tx,
  display: Display,
): Promise<'new' | 'known' | 'unknown'> {
  const rows = await tx
    .select({ id: deliveries.id, message: deliveries.message })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.subjectId, display.subjectId as SubjectId),
        eq(deliveries.subscriberId, display.subscriberId),
      ),
    )
    .orderBy(asc(deliveries.id))
  const row = rows.findLast(({ message }) => message.kind === display.kind && !message.again)
  if (!row) return 'unknown'
  const column = display.what === 'shown' ? deliveries.shownAt : deliveries.openedAt
  const marked = await tx
    .update(deliveries)
    .set(display.what === 'shown' ? { shownAt: display.at } : { openedAt: display.at })
    .where(and(eq(deliveries.id, row.id), isNull(column)))
    .returning({ id: deliveries.id })
  return marked.length > 0 ? 'new' : 'known'
}

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
