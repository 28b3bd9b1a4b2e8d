import type { Read } from '../../platform/db/database.ts'
import type { Subscriber } from '../devices/subscriber.ts'
import { readSwitchedOff } from '../devices/switch-store.ts'
import { isOff } from '../devices/switches.ts'
import type { Letter } from './post.ts'
import type { DeliveryRow } from './store.ts'

/** Which devices a letter is kept from by their people; those of nobody get everything. */
export async function readHeld(
  read: Read,
  { workspaceId, sorts }: Letter,
  devices: readonly Subscriber[],
): Promise<(device: Subscriber) => boolean> {
  if (!devices.some(({ personId }) => personId !== undefined)) return () => false
  const off = await readSwitchedOff(read, workspaceId)
  return ({ personId, kind }) => isOff((personId && off.get(personId)) || [], sorts, kind)
}

/** Kept as a row that has ended, so that what did not arrive can be explained. */
export function heldRow<R extends DeliveryRow>(row: R): R {
  return {
    ...row,
    state: 'held',
    lastError: SWITCHED_OFF,
    endedAt: row.createdAt,
    claimedBy: null,
    claimedUntil: 0,
  }
}

const SWITCHED_OFF = 'Held by the person’s own switch for such messages.'
