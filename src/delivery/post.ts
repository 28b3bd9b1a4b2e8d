import type { Read, Tx } from '../db/database.ts'
import type { NotificationId, QuestionId, WorkspaceId } from '../kernel/ids.ts'
import type { Targeting } from '../subscribers/subscriber.ts'
import type { Message } from './message.ts'
import type { Reach } from './receipts.ts'
import type { DeliveryRow } from './store.ts'

/** One message and whom it is for. */
export type Letter = {
  workspaceId: WorkspaceId
  subjectId: QuestionId | NotificationId
  targeting: Targeting
  message: Message
  /** After this moment it is no longer worth sending. */
  expiresAt: number
}

/** What the flows know of delivery: address outside the transaction, store inside, send after it. */
export type Post = {
  /** One outbox row for each device the targeting names, claimed by this process. */
  address(read: Read, letter: Letter): Promise<DeliveryRow[]>
  store(tx: Tx, rows: DeliveryRow[]): Promise<void>
  /** Starts sending what is committed; never throws, and keeps trying inside each row's life. */
  send(rows: DeliveryRow[]): Sending
}

/** What `send` began. */
export type Sending = {
  /** How far the devices were reached by now. */
  reach(): Reach
  /** Resolves when each device has given its first outcome, at the latest after `ms`. */
  firstOutcomes(ms: number): Promise<Reach>
}
