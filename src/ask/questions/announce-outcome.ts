import type { SubscriberId } from '../../platform/ids.ts'
import { decidePath } from '../delivery/model/addresses.ts'
import type { OutgoingMessage, RetrySender, Sender } from '../delivery/model/sender.ts'
import { type DeliveryRow, lapseDeliveries, listDeliveries } from '../delivery/model/store.ts'
import type { OnEnded } from './end-question.ts'
import type { Question, StoredStatus } from './model/question.ts'

// Devices that were off keep the question's push for as long as it lives.
const LIFE_MS = 60 * 60_000

/** What ending a question needs to update its deliveries. */
type OutcomeSender = Sender & Pick<RetrySender, 'giveUp'>

const ENDED = 'The question had ended.'

/**
 * Stores silent messages that replace a question that has ended on every device that has it, except
 * the one that answered, and sends them once that is committed. Messages not sent yet are cancelled.
 */
export function announceOutcome(sender: OutcomeSender): OnEnded {
  return async (tx, { question, at, endedOn }) => {
    const rows = await listDeliveries(tx, question.workspaceId, question.id)
    const asked = rows.filter((row) => row.message.kind === 'question')
    const idle = asked.filter((row) => row.state === 'waiting' && row.claimedBy === null)
    const holding = asked.filter((row) => mayHold(row) && !showsIt(row, endedOn))
    const ids = idle.map((row) => row.id)
    await lapseDeliveries(tx, ids, at, ENDED)
    const outcomes =
      holding.length === 0 ? [] : await sender.address(tx, outcomeMessage(question, holding, at))
    if (outcomes.length > 0) await sender.store(tx, outcomes)
    return () => {
      // Counts of those that were never sent are updated, too.
      sender.giveUp(idle, ENDED)
      sender.send(outcomes)
    }
  }
}

/**
 * The device that answered already shows the outcome. A chat does not: its message would stay as it
 * is.
 */
function showsIt({ subscriberId, messageRef }: DeliveryRow, endedOn: SubscriberId | undefined) {
  return subscriberId === endedOn && messageRef === null
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
  terminal: 'Decided in the terminal',
}

function titleOf({ status, type, value }: Question): string {
  const title = TITLES[status]
  // A typed answer may be long, and does not belong on a lock screen.
  return status === 'answered' && type !== 'input' ? `${title}: ${value}` : title
}
