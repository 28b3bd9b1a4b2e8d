import type { Person } from '../accounts/person.ts'
import type { Db } from '../db/database.ts'
import { Failure } from '../kernel/failure.ts'
import type { SubscriberId, WorkspaceId } from '../kernel/ids.ts'
import { findSubscriber, forgetSubscriber, listSubscribers } from '../subscribers/store.ts'
import type { Subscriber } from '../subscribers/subscriber.ts'

export type DevicesDeps = { db: Db }

/** Every device of the workspace, the oldest first. */
export function listDevices({ db }: DevicesDeps, workspaceId: WorkspaceId): Promise<Subscriber[]> {
  return listSubscribers(db.read, workspaceId)
}

/**
 * Disconnects a device. Throws `not_found`, and `forbidden` for another's device unless the person
 * owns the workspace.
 */
export async function forgetDevice(
  deps: DevicesDeps,
  person: Person,
  id: SubscriberId,
): Promise<void> {
  await ownDevice(deps, person, id)
  await deps.db.write(async (tx) => {
    await forgetSubscriber(tx, person.workspaceId, id)
    tx.ring('subscriber', person.workspaceId)
  })
}

/** A device that `person` may test and disconnect; throws as `forgetDevice` does. */
export async function ownDevice(
  { db }: DevicesDeps,
  person: Pick<Person, 'id' | 'workspaceId' | 'role'>,
  id: SubscriberId,
): Promise<Subscriber> {
  const device = await findSubscriber(db.read, person.workspaceId, id)
  if (!device) throw new Failure('not_found', 'There is no such device here.')
  if (device.personId !== person.id && person.role !== 'owner') {
    throw new Failure('forbidden', 'This device belongs to somebody else in the workspace.')
  }
  return device
}
