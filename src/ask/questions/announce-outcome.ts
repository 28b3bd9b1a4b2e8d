import type { Tx } from '../../platform/db/database.ts'
import type { SubscriberId } from '../../platform/ids.ts'
import { decidePath } from '../delivery/model/addresses.ts'
import type { OutgoingMessage, RetrySender, Sender } from '../delivery/model/sender.ts'
import { type DeliveryRow, lapseDeliveries, listDeliveries } from '../delivery/model/store.ts'
import type { Question, StoredStatus } from './model/question.ts'

// Devices that were off keep the question's push for as long as it lives.
const LIFE_MS = 60 * 60_000

/** What ending a question needs to update its deliveries. */
export type OutcomeSender = Sender & Pick<RetrySender, 'giveUp'>
type StoredOutcome = { outcomes: DeliveryRow[]; lapsed: DeliveryRow[] }

const ENDED = 'The question had ended.'

/**
 * In the transaction that ends the question: stores silent messages that replace it on every device
 * that has it, except the one that answered. Messages not sent yet are cancelled. Pass the result
 * to `sendOutcome` once the transaction is committed.
 */
export async function storeOutcome(
  tx: Tx,
  sender: Sender,
  question: Question,
  now: number,
  except?: SubscriberId,
): Promise<StoredOutcome> {
  const rows = await listDeliveries(tx, question.workspaceId, question.id)
  const asked = rows.filter((row) => row.message.kind === 'question')
  const idle = asked.filter((row) => row.state === 'waiting' && row.claimedBy === null)
  const holding = asked.filter((row) => mayHold(row) && row.subscriberId !== except)
  const ids = idle.map((row) => row.id)
  await lapseDeliveries(tx, ids, now, ENDED)
  if (holding.length === 0) return { outcomes: [], lapsed: idle }
  const outcomes = await sender.address(tx, outcomeMessage(question, holding, now))
  await sender.store(tx, outcomes)
  return { outcomes, lapsed: idle }
}

/** Sends the stored messages, and updates counts of those that were never sent. */
export function sendOutcome(sender: OutcomeSender, { outcomes, lapsed }: StoredOutcome): void {
  sender.giveUp(lapsed, ENDED)
  sender.send(outcomes)
}

/** It has the question, or it is being sent to it now. */
function mayHold({ state, claimedBy }: DeliveryRow): boolean {
  return state === 'accepted' || (state === 'waiting' && claimedBy !== null)
}

function outcomeMessage(question: Question, holding: DeliveryRow[], now: number): OutgoingMessage {
  return {
    workspaceId: question.workspaceId,
    subjectId: question.id,
    targeting: { subscriberIds: holding.map((row) => row.subscriberId) },
    sorts: ['outcome'],
    expiresAt: Math.max(now + LIFE_MS, ...holding.map((row) => row.expiresAt)),
    message: {
      kind: 'outcome',
      title: titleOf(question),
      body: question.question,
      tag: question.id,
      url: decidePath(question.id),
      urgency: 'normal',
    },
  }
}

const TITLES: Record<StoredStatus, string> = {
  answered: 'Answered',
  cancelled: 'Withdrawn by the agent',
  expired: 'Expired without an answer',
  stopped: 'The agent was told to stop',
  pending: 'Open',
  notified: 'Open',
  terminal: 'Open',
}

function titleOf({ status, type, value }: Question): string {
  const title = TITLES[status]
  // A typed answer may be long, and does not belong on a lock screen.
  return status === 'answered' && type !== 'input' ? `${title}: ${value}` : title
}
