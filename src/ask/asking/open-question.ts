import type { Db, Tx } from '../../platform/db/database.ts'
import { isUnavailable, unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { together } from '../../platform/db/together.ts'
import {
  chargeToken,
  countCharge,
  holdToLimits,
  type Limited,
  openedCharge,
  USUAL,
} from '../accounts/charge-token.ts'
import { queueCallbacks } from '../callbacks/queue-callback.ts'
import { limitPushes } from '../delivery/limit-pushes.ts'
import type { DeliveryCounts } from '../delivery/model/channel.ts'
import type { Sender, Sending } from '../delivery/model/sender.ts'
import {
  countDeliveries,
  type DeliveryRow,
  deliveriesBytes,
  listDeliveries,
  suppressedBySwitches,
} from '../delivery/model/store.ts'
import { pushedQuestion, questionMessage } from '../delivery/question-message.ts'
import { addressDeciders, addressFirst, type FirstDelivery } from '../fail-over/address-first.ts'
import { insertFailover } from '../fail-over/model/store.ts'
import { type Plan, routePhones } from '../policy/plan.ts'
import { type PlanDeps, planQuestion } from '../policy/plan-question.ts'
import { addDetail } from '../questions/model/detail-store.ts'
import {
  insertJoinedCall,
  joinedBytes,
  listJoinedCalls,
  lockJoined,
  newInCall,
} from '../questions/model/joined-store.ts'
import { joinsByContent, sameContent } from '../questions/model/key.ts'
import { findOpenTwin, findQuestionByKey } from '../questions/model/key-store.ts'
import { isForHours } from '../questions/model/lifecycle.ts'
import type { AskDraft, QuestionCounts } from '../questions/model/question.ts'
import { type Question, questionBytes, withDetail } from '../questions/model/question.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { insertQuestion } from '../questions/model/store.ts'
import { questionSighting } from '../questions/question-sighting.ts'
import { planReminders } from '../reminders/remind.ts'
import { seeSession } from '../sessions/see-session.ts'
import type { OpenPages } from '../subscribers/model/open-page-store.ts'
import { addViewers } from '../visibility/model/store.ts'

export type OpenQuestionDeps = PlanDeps & {
  sender: Sender
  counts?: QuestionCounts
  limited?: Limited
  openPages?: Pick<OpenPages, 'reach'>
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
export type AskTiming = {
  timeoutMs: number | undefined
  clientWaitsMs?: number | undefined
  /** The question that this call is known to repeat: it is joined, and nothing is opened. */
  earlier?: Question | undefined
}

/**
 * Opens the question, or joins an earlier one with its key (or, where the agent gave no id, an open
 * one with the same content). Throws `unavailable` if nothing could be recorded.
 */
export async function openQuestion(
  deps: OpenQuestionDeps,
  draft: AskDraft,
  how: AskTiming,
): Promise<Opened> {
  try {
    return await open(deps, draft, how)
  } catch (refusal) {
    if (draft.key === undefined || !isUnavailable(refusal)) throw refusal
    // A database that accepts no writes may still be readable.
    const existing = await unlessUnavailable(findEarlier(deps.db, draft))
    if (existing === undefined || existing === 'unavailable') throw refusal
    // Where to post the answer cannot be kept now.
    if (draft.callbackUrl !== undefined && draft.callbackUrl !== existing.callbackUrl) throw refusal
    return joined(deps.db, existing)
  }
}

async function open(
  deps: OpenQuestionDeps,
  draft: AskDraft,
  { earlier: existing, ...call }: AskTiming,
): Promise<Opened> {
  const { db, sender } = deps
  if (existing) return joined(db, existing)
  // Runs while the search for an earlier question does, because that search nearly always finds
  // none.
  const preparing = prepare(deps, draft, call)
  preparing.catch(() => {})
  // A call that joined a question has no row of its own that would refuse its key.
  const repeated = joinsByContent(draft.key) ? await findEarlier(db, draft) : undefined
  if (repeated) return join(deps, repeated, draft)

  const prepared = await preparing
  const { question, now, later, onPage } = prepared
  const stored = await store(deps, prepared)
  if (stored instanceof EarlierQuestion)
    return join(deps, stored.twin ?? (await earlier(db, draft)), draft)
  deps.counts?.opened(question)
  const { told: storedQuestion, sent: pushes } = stored
  const isSentNow = (row: DeliveryRow) => pushes.rows.includes(row)
  const first = now.filter(isSentNow)
  return {
    fresh: true,
    question: storedQuestion,
    sending: first.some(({ state }) => state === 'waiting') ? sender.send(first) : undefined,
    later: [...later.filter(isSentNow), ...pushes.together],
    onPage,
  }
}

/** The question as it will be stored, with what is sent of it and to whom. */
async function prepare(deps: OpenQuestionDeps, draft: AskDraft, call: AskTiming) {
  const { openPages } = deps
  const { question: planned, plan, remindMs } = await planQuestion(deps, draft, call)
  const { targeting, status } = planned
  const [{ rows, turns, viewers }, onPage] = await together(
    addressQuestion(deps, planned, plan),
    // A question that only notifies the person waits for nobody.
    status === 'notified' || !openPages
      ? Promise.resolve(false)
      : openPages.reach(planned, targeting),
  )
  const { now, later } = routePhones(rows, plan, draft.createdAt)
  const switchedOff = suppressedBySwitches(rows)
  const finalQuestion = switchedOff ? withDetail(planned, { switchedOff }) : planned
  const question = withHold(finalQuestion, later, plan)
  return { question, remindMs, turns, viewers, now, later, onPage }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

async function addressQuestion(
  deps: OpenQuestionDeps,
  planned: Question,
  plan: Plan,
): Promise<FirstDelivery> {
  if (!isSent(planned)) return { rows: [], turns: undefined }
  const { db, sender } = deps
  const { origin, createdAt, status } = planned
  const facts = origin === 'scope' ? await readScopeFacts(db.read, planned, createdAt) : undefined
  const message = questionMessage(planned, facts)
  if (planned.requirement) {
    return await addressDeciders(deps, planned, planned.requirement, message)
  }
  if (plan.failover && status === 'pending') {
    return addressFirst(deps, planned, plan.failover, message)
  }
  return { rows: await sender.address(db.read, message), turns: undefined }
}

/** Stores the question and what is sent of it, unless its call joins an earlier one. */
async function store(deps: OpenQuestionDeps, prepared: Prepared) {
  const { question, now, later, turns, viewers, remindMs } = prepared
  const { db, sender, limited = USUAL } = deps
  const rows = [...now, ...later]
  const bytes = questionBytes(question) + deliveriesBytes(rows)
  const charge = openedCharge(question, bytes)
  const sighting = questionSighting(question)
  // A key, the counts of its pushes and what is read of them belong to its token.
  const grouped = { by: question.tokenId }
  const joins = question.status === 'pending' && joinsByContent(question.key)
  try {
    return await db.write(async (tx) => {
      // First its count, because whoever has that row is alone with all that follows.
      const [usage, twin, isNew] = await together(
        countCharge(tx, limited, charge),
        joins ? findOpenTwin(tx, question) : Promise.resolve(undefined),
        insertQuestion(tx, question, bytes),
      )
      // Throwing rolls the count back.
      if (twin || !isNew) throw new EarlierQuestion(twin)
      await holdToLimits(tx, limited, charge, usage)
      const pushes = await limitPushes(tx, limited, rows, pushedQuestion(question))
      await sender.store(tx, [...pushes.rows, ...pushes.together])
      // One push may announce it together with others.
      const finalQuestion =
        pushes.collapsed > 0 ? withDetail(question, { collapsed: true }) : question
      if (finalQuestion !== question) await addDetail(tx, finalQuestion, finalQuestion.detail)
      if (turns) await insertFailover(tx, turns)
      if (isForHours(question)) await planReminders(tx, question, { remindMs }, question.createdAt)
      if (sighting) await seeSession(tx, sighting)
      await addViewers(tx, viewersOf(question, viewers))
      tx.emit('question', question.id)
      return { told: finalQuestion, sent: pushes }
    }, grouped)
  } catch (error) {
    if (error instanceof EarlierQuestion) return error
    throw error
  }
}

/** Whoever may decide it sees it, the people and groups that its rules name, and whoever is told. */
export function viewersOf(
  { id: subjectId, requirement }: Question,
  more: NonNullable<FirstDelivery['viewers']> = [],
) {
  if (!requirement) return []
  const { places, veto } = requirement
  const names = [...places.flatMap(({ from }) => from), ...(veto === 'any' ? [] : veto)]
  const ids = new Set([...names.map(({ id }) => id), ...more])
  return [...ids].map((who) => ({ subjectId, who }))
}

/**
 * Thrown if the draft is a question already: the open `twin` with its content, or one with its key.
 */
class EarlierQuestion extends Error {
  readonly twin: Question | undefined
  constructor(twin: Question | undefined) {
    super()
    this.twin = twin
  }
}

/** Records until when the phones stay silent, if there are phones to delay. */
function withHold(question: Question, later: DeliveryRow[], { phone }: Plan): Question {
  if (later.length === 0 || phone.phoneDelayMs === 0) return question
  return withDetail(question, { phonesHeldUntil: question.createdAt + phone.phoneDelayMs })
}

function isSent({ held, detail, deliveryMode }: Question): boolean {
  if (detail.undecidable) return false
  return !held && !detail.paused && deliveryMode !== 'terminal_only'
}

/**
 * Joins `question` with a call that asks the same, and keeps what the call brings: its key, and where
 * to post the answer. If the question was answered already, that is posted now.
 */
async function join(deps: OpenQuestionDeps, question: Question, draft: AskDraft): Promise<Opened> {
  const { db } = deps
  const bringsNothing = newInCall(draft, question, []) === undefined
  const isLeft = question.abandonedAt !== undefined
  if (!sameContent(question, draft) || (bringsNothing && !isLeft)) return joined(db, question)
  const now = await db.write((tx) => keepJoined(tx, deps, question, draft))
  return joined(db, now ?? question)
}

async function keepJoined(
  tx: Tx,
  { limited = USUAL }: OpenQuestionDeps,
  { id, tokenId }: Question,
  draft: AskDraft,
): Promise<Question | undefined> {
  const { workspaceId, createdAt: at } = draft
  const question = await lockJoined(tx, id)
  const call = question && newInCall(draft, question, await listJoinedCalls(tx, id))
  if (!call) return question
  const bytes = joinedBytes(call)
  await insertJoinedCall(tx, call)
  await lockJoined(tx, id, bytes)
  await chargeToken(tx, limited, { tokenId, workspaceId, at, bytes, openQuestions: 0 })
  if (call.callbackUrl !== null) await queueCallbacks(tx, { question, at }, [call.callbackUrl])
  return question
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

function findEarlier({ read }: Db, { workspaceId, key = '', createdAt }: AskDraft) {
  return findQuestionByKey(read, workspaceId, key, createdAt)
}

async function earlier(db: Db, draft: AskDraft): Promise<Question> {
  const earlierQuestion = await findEarlier(db, draft)
  if (!earlierQuestion) throw new Error('a question was neither stored nor found under its key')
  return earlierQuestion
}
