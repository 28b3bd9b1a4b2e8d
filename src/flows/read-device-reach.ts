import type { Db } from '../db/database.ts'
import type { DeliveryState } from '../delivery/receipts.ts'
import { listDeliveries } from '../delivery/store.ts'
import type { NotificationId, QuestionId, SubscriberId, WorkspaceId } from '../kernel/ids.ts'
import { readSubscribers } from '../subscribers/store.ts'
import type { SubscriberKind } from '../subscribers/subscriber.ts'

/** What became of a question's or notification's push on one device. */
export type DeviceReach = {
  subscriberId: SubscriberId
  /** Undefined once the device was disconnected. */
  label: string | undefined
  kind: SubscriberKind
  state: DeliveryState
  /** Why it was not accepted, in a sentence. */
  reason: string | undefined
  /** When it ended, or when the next attempt is due. */
  at: number
}

/** Who got what, the first addressed first; outcomes announced later are not part of it. */
export async function readDeviceReach(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  subjectId: QuestionId | NotificationId,
): Promise<DeviceReach[]> {
  const rows = await listDeliveries(db.read, workspaceId, subjectId)
  const told = rows.filter((row) => row.message.kind !== 'outcome')
  const devices = await readSubscribers(
    db.read,
    told.map((row) => row.subscriberId),
  )
  return told.map((row) => ({
    subscriberId: row.subscriberId,
    label: devices.get(row.subscriberId)?.label,
    kind: row.kind,
    state: row.state,
    reason: row.lastError ?? undefined,
    at: row.endedAt ?? row.nextAt,
  }))
}
