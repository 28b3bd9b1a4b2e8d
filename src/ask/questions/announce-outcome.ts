import type { Tx } from '../../platform/db/database.ts'
import type { SubscriberId } from '../../platform/ids.ts'
import { decidePath } from '../delivery/model/addresses.ts'
import type { OutgoingMessage, RetrySender, Sender } from '../delivery/model/sender.ts'
import { type DeliveryRow, lapseDeliveries, listDeliveries } from '../delivery/model/store.ts'
import type { Question, StoredStatus } from './model/question.ts'

// A device that was off still holds the question's push for as long as that one lives.
const LIFE_MS = 60 * 60_000

/** What the end of a question makes of its deliveries, once it is committed. */
export type OutcomeSender = Sender & Pick<RetrySender, 'giveUp'>
type StoredOutcome = { outcomes: DeliveryRow[]; lapsed: DeliveryRow[] }

const ENDED = 'The question had ended.'

/**
 * In the transaction that ends the question: what replaces it, without a sound, on every device
 * that has it, except the one that answered. What was still to be sent is not sent any more.
 * What it resolves to is for `sendOutcome`, once all of it is committed.
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

/** Tells the devices; whoever counts how far the question got hears what never went out. */
export function sendOutcome(sender: OutcomeSender, { outcomes, lapsed }: StoredOutcome): void {
  sender.giveUp(lapsed, ENDED)
  sender.send(outcomes)
}

/** It has the question, or is being told of it at this moment. */
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
  // A typed answer may be long, and is nobody's business on a lock screen.
  return status === 'answered' && type !== 'input' ? `${title}: ${value}` : title
}
