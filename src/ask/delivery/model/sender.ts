import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { MessageSort, Subscriber, SubscriberId } from '../../subscribers/model/subscriber.ts'
import type { SubjectId } from '../../wire/ids.ts'
import type { Targeting } from '../../wire/targeting.ts'
import type { Delivery, DeliveryCounts, DeliveryReceipt, Message } from './channel.ts'
import type { Receivers } from './receivers.ts'
import type { DeliveryRow } from './store.ts'

/** One message and its recipients. */
export type OutgoingMessage = {
  workspaceId: WorkspaceId
  /** The token that asked or notifies: by it, people see it. */
  tokenId: TokenId
  subjectId: SubjectId
  targeting: Targeting
  /**
   * Narrows the targeted devices to those of one person, to those of some people with `devices` that
   * belong to nobody, or to all but those of some people.
   */
  people?:
    | { only: PersonId }
    | { among: readonly PersonId[]; devices: readonly SubscriberId[] }
    | { except: readonly PersonId[] }
  /** The kinds it counts as for people's own switches. */
  sorts: readonly MessageSort[]
  message: Message
  /** After this instant it is not sent any more. */
  expiresAt: number
}

/**
 * A new row with the person of its device; undefined for a device without one. `shows`: who is told
 * by name sees from now on what they would not see otherwise.
 */
export type AddressedRow = DeliveryRow & { personId?: PersonId | undefined; shows?: boolean }

/** How use cases send messages: address outside the transaction, store inside it, send after it. */
export type Sender = {
  /**
   * One outbox row for each device that the targeting names, claimed by this process; `held` where
   * the person switched such messages off. `among`: devices that were read already, if the message
   * is for nobody else.
   */
  address(read: Read, outgoing: OutgoingMessage, among?: Receivers): Promise<AddressedRow[]>
  store(tx: Tx, rows: AddressedRow[]): Promise<void>
  /**
   * Starts sending stored rows that are not held; never throws, and retries until each row expires.
   */
  send(rows: DeliveryRow[]): Sending
}

/** The result of `send`. */
export type Sending = {
  /** The counts so far. */
  counts(): DeliveryCounts
  /** Resolves when each device has had its first outcome, after `ms` at the latest. */
  firstOutcomes(ms: number): Promise<DeliveryCounts>
}

/** For a message that one person waits for: sent now or not at all, and recorded on the device. */
export type DirectSender = {
  sendNow(delivery: Delivery, device: Subscriber): Promise<DeliveryReceipt>
}

/** For sending again what is waiting. */
export type RetrySender = Pick<Sender, 'send'> & {
  /**
   * Takes up to `limit` rows that are due and that no process has; this process then holds them.
   */
  takeDue(limit: number): Promise<DeliveryRow[]>
  /** Ends rows that it took and that are not to be sent any more. */
  giveUp(rows: DeliveryRow[], reason: string): void
}
