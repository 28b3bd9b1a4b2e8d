import type { Read } from '../../../platform/db/database.ts'
import { together } from '../../../platform/db/together.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'
import type { Off } from '../../subscribers/model/switch-store.ts'
import { readSwitchedOff } from '../../subscribers/model/switch-store.ts'
import type { SubjectId } from '../../wire/ids.ts'
import { listReceivers } from './store.ts'

/** Devices, and what people have switched off for them. */
export type Receivers = {
  devices: readonly Subscriber[]
  off: ReadonlyMap<PersonId, readonly Off[]>
}

/** The devices that were sent a message about a question or notification. */
export async function readReceivers(
  read: Read,
  workspaceId: WorkspaceId,
  subjectId: SubjectId,
): Promise<Receivers> {
  const [devices, off] = await together(
    listReceivers(read, workspaceId, subjectId),
    readSwitchedOff(read, workspaceId),
  )
  return { devices, off }
}
