import type { Read, Tx } from '../../../platform/db/database.ts'
import type { NotificationId, PersonId, QuestionId, WorkspaceId } from '../../../platform/ids.ts'
import type { Subscriber, Targeting } from '../../devices/model/subscriber.ts'
import type { MessageSort } from '../../devices/model/switches.ts'
import type { Delivery } from './channel.ts'
import type { Message } from './message.ts'
import type { DeliveryCounts, Receipt } from './receipts.ts'
import type { DeliveryRow } from './store.ts'

/** One message and whom it is for. */
export type OutgoingMessage = {
  workspaceId: WorkspaceId
  subjectId: QuestionId | NotificationId
  targeting: Targeting
  /** What it counts as for people's own switches. */
  sorts: readonly MessageSort[]
  message: Message
  /** After this moment it is no longer worth sending. */
  expiresAt: number
}

/** A row that was just made, and whose device it is for; nobody's is undefined. */
export type AddressedRow = DeliveryRow & { personId?: PersonId | undefined }

/** What the flows know of delivery: address outside the transaction, store inside, send after it. */
export type Sender = {
  /**
   * One outbox row for each device the targeting names, claimed by this process; `held` where the
   * person has switched such messages off.
   */
  address(read: Read, outgoing: OutgoingMessage): Promise<AddressedRow[]>
  store(tx: Tx, rows: DeliveryRow[]): Promise<void>
  /** Starts sending what is committed and not held; never throws, and keeps trying inside each row's life. */
  send(rows: DeliveryRow[]): Sending
}

/** What `send` began. */
export type Sending = {
  /** How far the devices were reached by now. */
  counts(): DeliveryCounts
  /** Resolves when each device has given its first outcome, at the latest after `ms`. */
  firstOutcomes(ms: number): Promise<DeliveryCounts>
}

/** For a message that one person waits for: sent now or not at all, and recorded on the device. */
export type DirectSender = {
  sendNow(delivery: Delivery, device: Subscriber): Promise<Receipt>
}

/** For the flow that takes up what waits again. */
export type RetrySender = Pick<Sender, 'send'> & {
  /** Up to `limit` rows that are due and that no process has, from now on in this one's hands. */
  takeDue(limit: number): Promise<DeliveryRow[]>
  /** Ends rows that it took and that are not worth sending any more. */
  giveUp(rows: DeliveryRow[], reason: string): void
}
