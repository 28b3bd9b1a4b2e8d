import type { Clock } from '../../platform/clock.ts'
import { isUnavailable, unlessUnavailable } from '../../platform/db/storage-failure.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import {
  acceptedCount,
  addCounts,
  allRefused,
  type DeliveryCounts,
  NO_DELIVERIES,
} from '../delivery/model/channel.ts'
import { countDeliveries, listDeliveries } from '../delivery/model/store.ts'
import type { EndQuestionDeps, Follow } from '../questions/end-question.ts'
import { sameContent } from '../questions/model/key.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { AskDraft, Question } from '../questions/model/question.ts'
import { markAbandoned } from '../questions/model/store.ts'
import { matchesNothing, type Unmatched } from '../subscribers/model/unmatched.ts'
import {
  callWaitsUntil,
  endAfter,
  noteCollected,
  noteWait,
  type WaitEnd,
} from '../waiting/call-wait.ts'
import type { AskSituation } from '../waiting/next-step.ts'
import type { Waiter, Waiters } from '../waiting/waiters.ts'
import {
  type AskTiming,
  type Opened,
  type OpenQuestionDeps,
  openQuestion,
} from './open-question.ts'

export type AskDeps = OpenQuestionDeps &
  EndQuestionDeps & {
    waiters: Waiters
    baseUrl: string
    /** Follows a decision that a rule or a grant makes at once, in its transaction. */
    onDecided?: Follow
  }

export type AskOutcome = {
  opened: Opened
  question: Question
  callState: AskSituation
  /**
   * The draft of this call; the question itself unless the call joined an earlier one. For a known
   * repetition, different wording is not reported.
   */
  asked: AskDraft
  /** The target that no device matches, if that is why nobody was notified. */
  unmatched: Unmatched | undefined
}

type CallState = Pick<AskOutcome, 'opened' | 'question' | 'callState'>

// A call waits for delivery at most this long before it only waits for the person.
const FIRST_OUTCOMES_MS = 2_000

/** How a call asks, and whether it waits. */
export type How = AskTiming & { wait: boolean }

/** Makes the call's result of its outcome. */
export type Tell<Result> = (deps: AskDeps, outcome: AskOutcome, how: How) => Promise<Result>

/**
 * Opens `asked` (or joins the earlier question that it retries) and, with `wait`, waits for its end
 * as long as the call may; resolves to what `tell` makes of the outcome. Throws `unavailable` if
 * nothing could be recorded; a recorded question that cannot be read is `unreadable`.
 */
export function askAndWait<Result>(
  deps: AskDeps,
  draft: AskDraft,
  how: How,
  call: CallContext,
  tell: Tell<Result>,
): Promise<Result> {
  const { clientWaitsMs } = call
  const opening = openQuestion(deps, draft, { ...how, clientWaitsMs })
  const byCall = Object.keys(draft.targeting).length > 0
  return awaitOutcome(deps, openAndWait(deps, opening, draft, how, call), byCall, how, tell)
}

/** As `begin`, with what was asked. */
async function openAndWait(
  deps: AskDeps,
  opening: Promise<Opened>,
  draft: AskDraft,
  how: How,
  call: CallContext,
): Promise<StartedCall & { asked: AskDraft }> {
  const opened = await opening
  const { question } = opened
  // A new question is what was asked, so a held call keeps only one of the two.
  const repliesTo = opened.fresh ? question : (how.earlier ?? draft)
  if (!sameContent(question, repliesTo))
    return { opened, question, callState: 'not_asked', asked: repliesTo }
  try {
    return Object.assign(await startCall(deps, opened, how, call), { asked: repliesTo })
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { opened, question, callState: 'unreadable', asked: repliesTo }
  }
}

// Thousands of calls are held in this function, which therefore has the loop of `waitForEnd`. Any
// further function or promise that waits would stay in memory with every call, along with
// everything its parameters reach.
async function awaitOutcome<Result>(
  deps: AskDeps,
  starting: Promise<StartedCall & { asked: AskDraft }>,
  byCall: boolean,
  how: How,
  tell: Tell<Result>,
): Promise<Result> {
  const startedCall = await starting
  let outcome: AskOutcome
  try {
    let end: WaitEnd | undefined
    if (startedCall.waiter) {
      using waiter = startedCall.waiter
      end = await endAfter(deps, startedCall.question, 'changed')
      while (!end) end = await endAfter(deps, startedCall.question, await waiter.next())
    }
    outcome = await outcomeOf(deps, startedCall, end, byCall)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const { opened, asked: draft } = startedCall
    const { question } = opened
    outcome = { opened, asked: draft, question, callState: 'unreadable', unmatched: undefined }
  }
  return await tell(deps, outcome, how)
}

async function outcomeOf(
  deps: AskDeps,
  draft: StartedCall & { asked: AskDraft },
  end: WaitEnd | undefined,
  byCall: boolean,
): Promise<AskOutcome> {
  const { asked: repliesTo } = draft
  const state = end ? await afterWait(deps, draft.opened, end) : draft
  const { opened, question, callState: situation } = state
  const unmatched = await whatMatchesNothing(deps, state, byCall)
  return { opened, question, callState: situation, asked: repliesTo, unmatched }
}

type StartedCall = CallState & { waiter?: Waiter }

/** The state of a call that does not wait, or the wait that it has begun. */
async function startCall(
  deps: AskDeps,
  openedQuestion: Opened,
  how: How,
  call: CallContext,
): Promise<StartedCall> {
  const { question } = openedQuestion
  if (question.status === 'notified') return notifyOnly(openedQuestion)
  const { targeting } = question
  const onPage = openedQuestion.onPage ?? (await deps.openPages?.reach(question, targeting))
  const opened = onPage && !openedQuestion.onPage ? { ...openedQuestion, onPage } : openedQuestion
  const atOnce = returnsAtOnce(opened, how.wait, deps.clock.now())
  if (!opened.fresh && atOnce === 'ended') await noteCollected(deps.db, question, deps.clock.now())
  if (atOnce) return { opened, question, callState: atOnce }

  const own = await callWaitsUntil(deps.policies, question, how.timeoutMs, call)
  const until = waitUntil(question, own, deps.clock.now())
  if (!opened.fresh) await noteWait(deps.db, question, until)
  return startWaiting(deps, opened, until, call)
}

async function afterWait(
  deps: AskDeps,
  opened: Opened,
  { question, because }: WaitEnd,
): Promise<CallState> {
  // A retry of the call may wait on: then somebody is there for the answer.
  if (because === 'hung_up' && !deps.waiters.isWaitedFor(question.id)) {
    await deps.db.write((tx) => markAbandoned(tx, question.id, deps.clock.now()))
  }
  const now = await lookAgain(deps, opened)
  // Read again, because phones that rang later may have accepted it.
  const nobody = because === 'timeout' && !opened.question.detail.paused && nobodyToTell(now)
  return { opened: now, question, callState: nobody ? 'no_devices' : because }
}

/** Phones that were to ring later may have rung while the call waited. */
async function lookAgain({ db }: AskDeps, opened: Opened): Promise<Opened> {
  const { question } = opened
  const isOpen = opened.fresh ? opened.later.length > 0 : opened.counts?.pending
  if (!isOpen) return opened
  const rows = await unlessUnavailable(listDeliveries(db.read, question.workspaceId, question.id))
  // The answer matters more than the counts.
  if (rows === 'unavailable') return opened
  if (!opened.fresh) return { ...opened, counts: countDeliveries(rows) }
  const later = new Set(opened.later.map(({ id }) => id))
  return { ...opened, laterCounts: countDeliveries(rows.filter(({ id }) => later.has(id))) }
}

/** Read only if nobody was notified: then a typo in the target is worth mentioning. */
async function whatMatchesNothing(
  { db }: AskDeps,
  { question, callState: situation }: CallState,
  byCall: boolean,
): Promise<Unmatched | undefined> {
  if (situation !== 'no_devices' && situation !== 'told_nobody') return undefined
  const { workspaceId, targeting } = question
  if (!(await matchesNothing(db.read, workspaceId, targeting))) return undefined
  return { targeting, byCall }
}

/**
 * Reports a question that is only announced: nobody can answer here, but it is worth a moment to
 * find out whether somebody was notified.
 */
async function notifyOnly(opened: Opened): Promise<CallState> {
  const { question } = opened
  if (opened.fresh) await opened.sending?.firstOutcomes(FIRST_OUTCOMES_MS)
  return { opened, question, callState: nobodyToTell(opened) ? 'told_nobody' : 'ended' }
}

/** Why the call does not wait at all. */
function returnsAtOnce(opened: Opened, wait: boolean, now: number): AskSituation | undefined {
  const { question } = opened
  const { paused, pausedAware } = question.detail
  if (statusAt(question, now) !== 'pending') return 'ended'
  if (question.held) return 'held'
  if (paused) return pausedAware && wait ? undefined : 'paused'
  if (nobodyToTell(opened)) return 'no_devices'
  return wait ? undefined : 'not_waiting'
}

async function startWaiting(
  deps: AskDeps,
  opened: Opened,
  until: number,
  call: CallContext,
): Promise<StartedCall> {
  const { question } = opened
  const waiter = deps.waiters.add(question.id, until, call.signal)
  // Reported at once, so that a caller that loses this call can find its question again.
  sayWaiting(call, question, until, deps.clock)
  const startedCall: StartedCall = { opened, question, callState: 'timeout', waiter }
  if (!opened.fresh || !opened.sending) return startedCall
  const { sending } = opened
  const reason = await waiter.nextOr(sending.firstOutcomes(FIRST_OUTCOMES_MS))
  if (reason !== undefined) return startedCall
  if (nobodyToTell(opened)) {
    waiter[Symbol.dispose]()
    return { opened: await lookAgain(deps, opened), question, callState: 'no_devices' }
  }
  const devices = acceptedCount(sending.counts())
  sayWaiting(call, question, until, deps.clock, devices > 0 ? devices : undefined)
  return startedCall
}

/**
 * The call's own wait; a retry waits until the same instant as the call it repeats, while that one
 * still waits. A hook's `waitEndsAt` may lie beyond one call: then it asks again.
 */
function waitUntil(question: Question, own: number, now: number): number {
  const first = question.waitEndsAt > now ? question.waitEndsAt : own
  return Math.min(own, first, question.expiresAt)
}

function sayWaiting(
  call: CallContext,
  { id }: Question,
  until: number,
  clock: Clock,
  devices?: number | undefined,
) {
  const { arrivedAt } = call.caller
  const text = `Sent to ${devices} ${devices === 1 ? 'device' : 'devices'}, waiting for an answer`
  call.talk({
    waitedMs: clock.now() - arrivedAt,
    totalMs: until - arrivedAt,
    message: devices === undefined ? 'Waiting for an answer' : text,
    correlationId: id,
  })
}

/**
 * The counts of deliveries so far, including phones that ring later; undefined if they cannot be
 * read. Once a question has ended (`isLive` false) no more phones ring.
 */
export function deliveryCountsNow(opened: Opened, isLive = true): DeliveryCounts | undefined {
  if (!opened.fresh) return opened.counts
  const { sending, later, laterCounts: laterReach = countDeliveries(later) } = opened
  const rung = isLive ? laterReach : { ...laterReach, pending: false }
  return addCounts(sending?.counts() ?? NO_DELIVERIES, rung)
}

/** Every device or chat channel that it was addressed to has refused it. */
export function wasRefused(opened: Opened): boolean {
  const counts = deliveryCountsNow(opened)
  return counts !== undefined && allRefused(counts)
}

/**
 * There was nobody to notify, or nobody could be notified; false while somebody still may be, and
 * if somebody had a page open that shows the question.
 */
function nobodyToTell(opened: Opened): boolean {
  if (opened.onPage) return false
  // One push announces several questions together.
  if (opened.question.detail.collapsed) return false
  const counts = deliveryCountsNow(opened)
  return counts !== undefined && acceptedCount(counts) === 0 && !counts.pending
}
