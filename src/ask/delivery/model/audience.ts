import type { Read, Tx } from '../../../platform/db/database.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import { addViewers, readAudience } from '../../visibility/model/store.ts'
import { anyTarget } from '../../wire/targeting.ts'
import type { AddressedRow, OutgoingMessage } from './sender.ts'

type Device = Pick<Subscriber, 'personId'>
type Audience = {
  /** Returns true for the devices that a message goes to. */
  takes(device: Device): boolean
  /** Returns true for a device whose person sees it only because they are told. */
  shows(device: Device): boolean
}

/**
 * Where people do not see everything, a message goes to those who see what it is about, and to those
 * whom the call, a rule or the fail-over names: they see it from then on. A device without a person
 * belongs to the workspace.
 */
export async function audienceOf(read: Read, outgoing: OutgoingMessage): Promise<Audience> {
  const { workspaceId, tokenId, targeting, people } = outgoing
  const audience = await readAudience(read, workspaceId, tokenId)
  const sees = ({ personId }: Device) =>
    audience === undefined || personId === undefined || audience.has(personId)
  const isNamed = anyTarget(targeting) || (people !== undefined && !('except' in people))
  return { takes: (device) => isNamed || sees(device), shows: (device) => !sees(device) }
}

/** Shows what these rows are about to the people who see it because they are told. */
export async function addToldViewers(tx: Tx, rows: readonly AddressedRow[]): Promise<void> {
  const viewers = rows.flatMap(({ shows, personId: who, subjectId }) =>
    shows && who !== undefined ? [{ subjectId, who }] : [],
  )
  await addViewers(tx, viewers)
}
