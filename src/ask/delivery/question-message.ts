import type { Tx } from '../../platform/db/database.ts'
import { together } from '../../platform/db/together.ts'
import { codePoints } from '../../platform/text.ts'
import type { Follow, ReadsFirst } from '../questions/end-question.ts'
import {
  joinParts,
  type MessageParts,
  messageParts,
  offersInChat,
  offersYes,
  whoAsks,
} from '../questions/model/message-parts.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import type { ScopeFacts } from '../questions/model/scope-facts.ts'
import { questionTitle } from '../questions/model/title.ts'
import { enforcedWords, opensOf } from '../scopes/model/opens.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import { excerptOf } from '../wire/excerpt.ts'
import type { StoredStatus } from '../wire/question-fields.ts'
import type { Pushed } from './limit-pushes.ts'
import { decidePath } from './model/links.ts'
import { type Receivers, readReceivers } from './model/receivers.ts'
import type { OutgoingMessage, RetrySender, Sender } from './model/sender.ts'
import { type DeliveryRow, lapseDeliveries, listDeliveries } from './model/store.ts'

// More than any notification shows.
const BODY_MAX = 600

/**
 * The push that announces a new question with what a yes does; the action body is never part of it.
 * For a scope it begins with what the scope allows, and who enforces it.
 */
export function questionMessage(question: Question, facts?: ScopeFacts): OutgoingMessage {
  const parts = messageParts(question, scopeWords(question, facts))
  const { title, isWhole } = messageTitle(question)
  const { action: _, ...withoutAction } = parts
  const bodyParts = isWhole ? withoutAction : parts
  return {
    workspaceId: question.workspaceId,
    tokenId: question.tokenId,
    subjectId: question.id,
    targeting: question.targeting,
    sorts: ['question'],
    expiresAt: question.expiresAt,
    message: {
      kind: 'question',
      title,
      body: joinParts(bodyParts, BODY_MAX).text,
      asked: bodyParts,
      tag: question.id,
      url: decidePath(question.id),
      urgency: 'high',
      // In notify_only the question is answered in the terminal: the push only announces it.
      ...(question.status === 'pending'
        ? { question: questionPart(question, parts) }
        : { kind: 'notification' as const }),
    },
  }
}

/** The question as the limit of pushes counts it. */
export function pushedQuestion(question: Question): Pushed {
  const { id, tokenId, createdAt, agentName } = question
  const sort = isPermission(question) ? 'permission' : 'question'
  return { subjectId: id, tokenId, at: createdAt, sort, agentName }
}

// Some phones show no more of a title.
const TITLE_WHOLE = 30
const TITLE_MAX = 60

/** The command, or who asks. `isWhole`: every device shows the whole command, so the body need not. */
function messageTitle(question: Question): { title: string; isWhole: boolean } {
  const { text, isCommand } = questionTitle(question)
  if (!isCommand) return { title: whoAsks(question), isWhole: false }
  const { text: title, isCut } = excerptOf(text, TITLE_MAX)
  return { title, isWhole: !isCut && codePoints(title) <= TITLE_WHOLE }
}

function scopeWords({ detail: { contract } }: Question, facts: ScopeFacts | undefined): string[] {
  if (!contract) return []
  const isHookHere = facts !== undefined && facts.hooks.length > 0
  return [`Allows: ${opensOf(contract).what}`, enforcedWords(isHookHere)]
}

/**
 * Builds the part of a message that a device needs to answer; `parts`: the question's message
 * parts, if known. `asked`: the question's message parts, if known.
 */
export function questionPart(question: Question, parts?: MessageParts) {
  return {
    correlationId: question.id,
    type: question.type,
    quick: offersYes(question, parts),
    ...(question.requirement ? { votes: votesOf(question, parts) } : {}),
    ...(question.detail.form ? { form: true as const } : {}),
  }
}

/** The votes that a chat takes with a button. */
function votesOf(question: Question, parts?: MessageParts): Array<'yes' | 'no'> {
  return (['yes', 'no'] as const).filter((value) => offersInChat(question, value, parts))
}

// Devices that were off keep the question's push for as long as it lives.
const LIFE_MS = 60 * 60_000

/** The sender that an end of a question needs to update its deliveries. */
type OutcomeSender = Sender & Pick<RetrySender, 'giveUp'>

const ENDED = 'The question had ended.'

/**
 * Stores silent messages that replace a question that has ended on every device that has it, except
 * the one that answered, and sends them once that is committed. Messages not sent yet are cancelled.
 */
export function announceOutcome(sender: OutcomeSender): ReadsFirst {
  return {
    async read(tx, { workspaceId, id }) {
      const [rows, receivers] = await together(
        listDeliveries(tx, workspaceId, id),
        readReceivers(tx, workspaceId, id),
      )
      return (tx, end) => announce(sender, tx, end, { rows, receivers })
    },
  }
}

type SentQuestion = { rows: DeliveryRow[]; receivers: Receivers }

async function announce(
  sender: OutcomeSender,
  tx: Tx,
  { question, at, endedOn }: Parameters<Follow>[1],
  { rows, receivers }: SentQuestion,
) {
  const questionRows = rows.filter((row) => row.message.kind === 'question')
  const idle = questionRows.filter((row) => row.state === 'waiting' && row.claimedBy === null)
  const holding = questionRows.filter((row) => mayHold(row) && !showsIt(row, endedOn))
  const ids = idle.map((row) => row.id)
  const message = outcomeMessage(question, holding, at)
  const outcomes = holding.length === 0 ? [] : await sender.address(tx, message, receivers)
  await together(lapseDeliveries(tx, ids, at, ENDED), sender.store(tx, outcomes))
  return () => {
    // Counts of those that were never sent are updated, too.
    sender.giveUp(idle, ENDED)
    sender.send(outcomes)
  }
}

/**
 * The device that answered already shows the outcome. A chat does not: its message would stay as it
 * is.
 */
function showsIt({ subscriberId, messageRef }: DeliveryRow, endedOn: SubscriberId | undefined) {
  return subscriberId === endedOn && messageRef === null
}

/** True if the device has the question, or it is being sent to it now. */
function mayHold({ state, claimedBy }: DeliveryRow): boolean {
  return state === 'accepted' || (state === 'waiting' && claimedBy !== null)
}

function outcomeMessage(question: Question, holding: DeliveryRow[], now: number): OutgoingMessage {
  return {
    workspaceId: question.workspaceId,
    tokenId: question.tokenId,
    subjectId: question.id,
    targeting: { subscriberIds: holding.map((row) => row.subscriberId) },
    sorts: ['outcome'],
    expiresAt: Math.max(now + LIFE_MS, ...holding.map((row) => row.expiresAt)),
    message: {
      kind: 'outcome',
      title: titleOfOutcome(question),
      body: questionTitle(question).text,
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

function titleOfOutcome({ status, type, value }: Question): string {
  const title = TITLES[status]
  // A typed answer may be long, and does not belong on a lock screen.
  return status === 'answered' && type !== 'input' ? `${title}: ${value}` : title
}
