import type { PersonId } from '../../accounts/model/ids.ts'
import type { SubscriberId } from '../../subscribers/model/subscriber.ts'

/** A person, or a channel of the workspace. */
export type Recipient = PersonId | SubscriberId

/** True for a device that belongs to nobody. */
export function isChannel(recipient: Recipient): recipient is SubscriberId {
  return recipient.startsWith('sub_')
}
