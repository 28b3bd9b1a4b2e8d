import type { Read } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import { listSubscribers } from '../../subscribers/model/store.ts'
import type { Subscriber } from '../../subscribers/model/subscriber.ts'

/** A device that belongs to nobody, such as a channel of a chat. Rules tell it by its label. */
export type Channel = Pick<Subscriber, 'id' | 'label' | 'transport'>

export async function listChannels(read: Read, workspaceId: WorkspaceId): Promise<Channel[]> {
  return (await listSubscribers(read, workspaceId)).filter(({ personId }) => personId === undefined)
}

/** `#deploys` and `Deploys` are one channel. */
export function isSameName(a: string, b: string): boolean {
  const plain = (name: string) => name.replace(/^#/, '').toLowerCase()
  return plain(a) === plain(b)
}
