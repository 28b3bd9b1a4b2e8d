import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { endSignInOf } from '../sign-in/sign-ins.ts'
import { findSubscriber, forgetSubscriber, listSubscribers } from '../subscribers/model/store.ts'
import type { Subscriber, SubscriberId } from '../subscribers/model/subscriber.ts'

export type DevicesDeps = { db: Db }
export type ForgetDeviceDeps = DevicesDeps & { clock: Clock }

/** Every device of the workspace, the oldest first. */
export function listDevices({ db }: DevicesDeps, workspaceId: WorkspaceId): Promise<Subscriber[]> {
  return listSubscribers(db.read, workspaceId)
}

/**
 * Disconnects a device; `signOut` also ends the sign-in of the browser that it is. Resolves to
 * whether it ended one. Throws `not_found`, and `forbidden` for another's device unless the person owns the workspace.
 */
export async function forgetDevice(
  deps: ForgetDeviceDeps,
  person: Person,
  id: SubscriberId,
  { signOut = false }: { signOut?: boolean } = {},
): Promise<boolean> {
  const device = await ownDevice(deps, person, id)
  const now = deps.clock.now()
  const stamp = auditStamp(now)
  return await deps.db.write(async (tx) => {
    const isDeleted = await forgetSubscriber(tx, person.workspaceId, id)
    if (!isDeleted) return false
    await recordChange(tx, stamp, {
      workspaceId: person.workspaceId,
      kind: 'device.removed',
      personId: person.id,
      personName: person.name,
      subjectId: id,
      subjectName: device.label,
    })
    tx.emit('subscriber', person.workspaceId)
    return signOut && (await endSignInOf(tx, device, { by: person, now }))
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
  must(person, 'devices', device.personId)
  return device
}
