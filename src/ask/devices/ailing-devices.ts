import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/model/person.ts'
import { listLastDeliveries } from '../delivery/model/seen-store.ts'
import type { DeliveryRow } from '../delivery/model/store.ts'
import { listOwnSubscribers } from '../subscribers/model/page-store.ts'
import type { SilentWhy, Subscriber, SubscriberId } from '../subscribers/model/subscriber.ts'

/** A device on which the next question would not ring, as far as is known. */
export type Ailing = {
  id: SubscriberId
  label: string
  why: SilentWhy | 'refused' | 'unseen'
  /** The last answer of the device's service, for `refused`. */
  said: string | undefined
}

// One message that fails proves little.
const LAST = 3
// A device that was just sent a message may still report that it showed it.
const REPORTS_WITHIN_MS = 60_000
// More than anybody has; each costs a look.
const DEVICES_MAX = 12

/**
 * The person's own devices that probably will not ring: their browser says so, or their last real
 * messages were all refused, or all accepted and never shown.
 */
export async function ailingDevices(
  { db, clock }: { db: Db; clock: Clock },
  { id: personId, workspaceId }: Pick<Person, 'id' | 'workspaceId'>,
): Promise<Ailing[]> {
  const own = await listOwnSubscribers(db.read, { workspaceId, personId })
  const looks = own.slice(0, DEVICES_MAX).map(async (device) => {
    if (device.silentWhy) return { ...reference(device), why: device.silentWhy, said: undefined }
    const last = await listLastDeliveries(db.read, device.id, LAST)
    if (last.length < LAST) return []
    return byMessages(device, last, clock.now())
  })
  return (await Promise.all(looks)).flat()
}

function byMessages(device: Subscriber, last: readonly DeliveryRow[], now: number): Ailing[] {
  const { lastSuccessAt = 0, lastError } = device
  // A newer test that arrived, or a newer subscription, is stronger evidence.
  const isOver = last.every(({ endedAt }) => (endedAt ?? 0) < lastSuccessAt)
  if (last.every(({ state }) => state === 'refused') && !isOver) {
    return [{ ...reference(device), why: 'refused', said: last[0]?.lastError ?? lastError }]
  }
  const seenAt = Math.max(device.lastShownAt ?? 0, device.lastOpenedAt ?? 0)
  const isUnseen = ({ state, shownAt, openedAt, endedAt }: DeliveryRow) =>
    state === 'accepted' &&
    shownAt === null &&
    openedAt === null &&
    (endedAt ?? now) < now - REPORTS_WITHIN_MS &&
    seenAt < (endedAt ?? now)
  if (!reportsDisplays(device) || !last.every(isUnseen)) return []
  return [{ ...reference(device), why: 'unseen', said: undefined }]
}

/** Browsers report what they showed; programs that only speak Web Push may not. */
function reportsDisplays({ transport, lastShownAt, userAgent = '' }: Subscriber): boolean {
  return transport === 'webpush' && (lastShownAt !== undefined || userAgent.startsWith('Mozilla/'))
}

function reference({ id, label }: Subscriber) {
  return { id, label }
}
