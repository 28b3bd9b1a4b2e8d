import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { readSubscribers } from '../subscribers/model/store.ts'
import type { SubscriberId, SubscriberKind } from '../subscribers/model/subscriber.ts'
import type { SubjectId } from '../wire/ids.ts'
import type { DeliveryState, Message } from './model/channel.ts'
import { listDeliveries } from './model/store.ts'

/**
 * The evidence about one message to one device; each further time is stronger evidence that it
 * arrived.
 */
export type DeviceReceipt = {
  subscriberId: SubscriberId
  kind: SubscriberKind
  /** Undefined if the device was removed. */
  label: string | undefined
  transport: string | undefined
  message: Message['kind']
  /** Told to the next person because nobody answered. */
  failover: boolean
  state: DeliveryState
  /** The push service accepted it; it may still not have arrived. */
  acceptedAt: number | undefined
  /** The device reported that it showed it; perhaps nobody looked. */
  shownAt: number | undefined
  /** The device reported that somebody tapped it. */
  openedAt: number | undefined
  error: string | undefined
}

/** The receipts of a question or notification, device by device, in the order it was sent. */
export async function readReceipts(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  subject: SubjectId,
): Promise<DeviceReceipt[]> {
  const all = await listDeliveries(db.read, workspaceId, subject)
  const rows = all.filter(({ message }) => !message.again)
  const ids = rows.map((row) => row.subscriberId)
  const devices = ids.length === 0 ? undefined : await readSubscribers(db.read, ids)
  return rows.map((row) => {
    const device = devices?.get(row.subscriberId)
    return {
      subscriberId: row.subscriberId,
      kind: row.kind,
      label: device?.label,
      transport: device?.transport,
      message: row.message.kind,
      failover: row.message.failover === true,
      state: row.state,
      acceptedAt: row.state === 'accepted' ? (row.endedAt ?? undefined) : undefined,
      shownAt: row.shownAt ?? undefined,
      openedAt: row.openedAt ?? undefined,
      error: row.state === 'accepted' ? undefined : (row.lastError ?? undefined),
    }
  })
}
