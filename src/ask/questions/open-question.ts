import type { Db } from '../../platform/db/database.ts'
import { isUnavailable, unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { chargeToken, type Limited, openedCharge, USUAL } from '../accounts/charge-token.ts'
import type { DeliveryCounts } from '../delivery/model/receipts.ts'
import type { Sender, Sending } from '../delivery/model/sender.ts'
import {
  countDeliveries,
  type DeliveryRow,
  deliveriesBytes,
  listDeliveries,
} from '../delivery/model/store.ts'
import { withSwitches } from '../devices/own-switches.ts'
import { limitPushes } from '../policy/limit-pushes.ts'
import type { Plan } from '../policy/plan.ts'
import { routePhones } from '../policy/plan.ts'
import { type PlanDeps, planQuestion } from '../policy/plan-question.ts'
import { questionSighting, seeSession } from '../sessions/see-session.ts'
import { addressFirst } from './fail-over.ts'
import { questionBytes } from './model/bytes.ts'
import type { QuestionCounts } from './model/counts.ts'
import { addDetail } from './model/detail-store.ts'
import { insertFailover } from './model/failover-store.ts'
import { findAbandoned, findQuestionByKey } from './model/key-store.ts'
import type { Question } from './model/question.ts'
import { readScopeFacts } from './model/scope-facts.ts'
import { insertQuestion, markAbandoned } from './model/store.ts'
import { pushedQuestion, questionMessage } from './question-message.ts'

export type OpenQuestionDeps = PlanDeps & {
  sender: Sender
  counts?: QuestionCounts
  limited?: Limited
}

/** The result of asking: a new question, or an earlier one that this call joins. */
export type Opened = {
  /** Somebody whom the question is for had a page open, and visible, when the call came. */
  onPage?: boolean
} & (
  | {
      fresh: true
      question: Question
      sending: Sending | undefined
      /** Phones that ring when the grace period is over and no terminal is active. */
      later: DeliveryRow[]
      /** The counts of `later`, once they were read. */
      laterCounts?: DeliveryCounts
    }
  /** With the counts of the first call's push; undefined if they cannot be read. */
  | { fresh: false; question: Question; counts: DeliveryCounts | undefined }
)

/** How a call asks. */
export type HowAsked = {
  timeoutMs: number | undefined
  clientWaitsMs?: number | undefined
  /** The question that this call is known to repeat: it is joined, and nothing is opened. */
  earlier?: Question | undefined
}

/**
 * Opens the question, or joins an earlier one with its key (or, without a key and for a scope, an
 * abandoned one with the same content). Throws `unavailable` if nothing could be recorded.
 */
export async function openQuestion(
  deps: OpenQuestionDeps,
  asked: Question,
  how: HowAsked,
): Promise<Opened> {
  try {
    return await open(deps, asked, how)
  } catch (refusal) {
    if (asked.key === undefined || !isUnavailable(refusal)) throw refusal
    // A database that accepts no writes may still be readable.
    const known = await unlessUnavailable(findEarlier(deps.db, asked))
    if (known === undefined || known === 'unavailable') throw refusal
    return joined(deps.db, known)
  }
}

async function open(
  deps: OpenQuestionDeps,
  asked: Question,
  { earlier: known, ...call }: HowAsked,
): Promise<Opened> {
  const { db, sender, limited = USUAL } = deps
  if (known) return joined(db, known)
  // The key of a scope names one call: an agent that proposes again after a hang-up has a new one.
  const mayBeTwin = asked.key === undefined || asked.origin === 'scope'
  const twin = mayBeTwin ? await joinTwin(db, asked) : undefined
  if (twin) return joined(db, twin)

  const { question: planned, plan } = await planQuestion(deps, asked, call)
  const facts = await readScopeFacts(db.read, planned, planned.createdAt)
  const outgoing = questionMessage(planned, facts)
  const { rows, turns } = isSent(planned)
    ? await addressFirst(deps, planned, plan, outgoing)
    : { rows: [], turns: undefined }
  const { now, later } = routePhones(rows, plan, asked.createdAt)
  const question = withHold(withSwitches(planned, rows), later, plan)
  const sighting = questionSighting(question)
  const stored = await db.write(async (tx) => {
    const bytes = questionBytes(question) + deliveriesBytes(rows)
    const inserted = await insertQuestion(tx, question, bytes)
    if (!inserted) return undefined
    await chargeToken(tx, limited, openedCharge(question, bytes))
    const sent = await limitPushes(tx, limited, [...now, ...later], pushedQuestion(question))
    await sender.store(tx, [...sent.rows, ...sent.together])
    const told = sent.collapsed > 0 ? collapsed(question) : question
    if (told !== question) await addDetail(tx, told, told.detail)
    if (turns) await insertFailover(tx, turns)
    if (sighting) await seeSession(tx, sighting)
    tx.emit('question', question.id)
    return { told, sent }
  })
  if (!stored) return joined(db, await earlier(db, asked))
  deps.counts?.opened(question)
  const { told, sent } = stored
  const isSentNow = (row: DeliveryRow) => sent.rows.includes(row)
  const first = now.filter(isSentNow)
  return {
    fresh: true,
    question: told,
    sending: first.some(({ state }) => state === 'waiting') ? sender.send(first) : undefined,
    later: [...later.filter(isSentNow), ...sent.together],
  }
}

/** Records that one push announces it together with others. */
function collapsed(question: Question): Question {
  return { ...question, detail: { ...question.detail, collapsed: true } }
}

/** Records until when the phones stay silent, if there are phones to delay. */
function withHold(question: Question, later: DeliveryRow[], { phone }: Plan): Question {
  if (later.length === 0 || phone.heldMs === 0) return question
  const phonesHeldUntil = question.createdAt + phone.heldMs
  return { ...question, detail: { ...question.detail, phonesHeldUntil } }
}

function isSent({ held, detail, deliveryMode }: Question): boolean {
  return !held && !detail.paused && deliveryMode !== 'terminal_only'
}

async function joined(db: Db, question: Question): Promise<Opened> {
  return { fresh: false, question, counts: await readDeliveryCounts(db, question) }
}

/** The counts matter less than the question: without them the call continues. */
async function readDeliveryCounts(
  db: Db,
  { workspaceId, id }: Question,
): Promise<DeliveryCounts | undefined> {
  const rows = await unlessUnavailable(listDeliveries(db.read, workspaceId, id))
  return rows === 'unavailable' ? undefined : countDeliveries(rows)
}

async function joinTwin(db: Db, asked: Question): Promise<Question | undefined> {
  const twin = await findAbandoned(db.read, asked, asked.createdAt)
  if (twin) await db.write((tx) => markAbandoned(tx, twin.id, undefined))
  return twin
}

function findEarlier({ read }: Db, { workspaceId, key = '', createdAt }: Question) {
  return findQuestionByKey(read, workspaceId, key, createdAt)
}

async function earlier(db: Db, asked: Question): Promise<Question> {
  const found = await findEarlier(db, asked)
  if (!found) throw new Error('a question was neither stored nor found under its key')
  return found
}
