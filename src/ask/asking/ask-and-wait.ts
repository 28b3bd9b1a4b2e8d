import type { Clock } from '../../platform/clock.ts'
import { isUnavailable, unlessUnavailable } from '../../platform/db/storage-failure.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import {
  acceptedCount,
  addCounts,
  type DeliveryCounts,
  NO_DELIVERIES,
} from '../delivery/model/channel.ts'
import { countDeliveries, listDeliveries } from '../delivery/model/store.ts'
import type { EndQuestionDeps, Follow } from '../questions/end-question.ts'
import { sameContent } from '../questions/model/key.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { markAbandoned } from '../questions/model/store.ts'
import { matchesNothing, type Unmatched } from '../subscribers/model/unmatched.ts'
import {
  callWaitsUntil,
  endAfter,
  noteCollected,
  noteWait,
  type WaitEnd,
} from '../waiting/call-wait.ts'
import type { Waiter, Waiters } from '../waiting/waiters.ts'
import { type HowAsked, type Opened, type OpenQuestionDeps, openQuestion } from './open-question.ts'

export type AskDeps = OpenQuestionDeps &
  EndQuestionDeps & {
    waiters: Waiters
    baseUrl: string
    /** Follows a decision that a rule or a grant makes at once, in its transaction. */
    onDecided?: Follow
  }

/** The state of a call when it returns. */
export type AskSituation =
  | 'ended'
  | 'held'
  | 'no_devices'
  | 'told_nobody'
  | 'paused'
  | 'not_waiting'
  | 'timeout'
  | 'hung_up'
  | 'closing'
  /** Its id belongs to a question about something else. */
  | 'not_asked'
  /** It is stored, but its state cannot be read now. */
  | 'unreadable'

export type AskOutcome = {
  opened: Opened
  question: Question
  situation: AskSituation
  /**
   * What this call asked; the question itself unless the call joined an earlier one. For a known
   * repetition, different wording is not reported.
   */
  asked: Question
  /** The target that no device matches, if that is why nobody was notified. */
  unmatched: Unmatched | undefined
}

type Stand = Pick<AskOutcome, 'opened' | 'question' | 'situation'>

// A call waits for delivery at most this long before it only waits for the person.
const FIRST_OUTCOMES_MS = 2_000

/** How a call asks, and whether it waits. */
export type How = HowAsked & { wait: boolean }

/** Makes the call's result of its outcome. */
export type Tell<Result> = (deps: AskDeps, outcome: AskOutcome, how: How) => Promise<Result>

/**
 * Opens `asked` (or joins the earlier question that it retries) and, with `wait`, waits for its end
 * as long as the call may; resolves to what `tell` makes of the outcome. Throws `unavailable` if
 * nothing could be recorded; a recorded question that cannot be read is `unreadable`.
 */
export function askAndWait<Result>(
  deps: AskDeps,
  asked: Question,
  how: How,
  call: CallContext,
  tell: Tell<Result>,
): Promise<Result> {
  const { clientWaitsMs } = call
  const opening = openQuestion(deps, asked, { ...how, clientWaitsMs })
  const byCall = Object.keys(asked.targeting).length > 0
  return tellOutcome(deps, beginWith(deps, opening, asked, how, call), byCall, how, tell)
}

/** As `begin`, with what was asked. */
async function beginWith(
  deps: AskDeps,
  opening: Promise<Opened>,
  asked: Question,
  how: How,
  call: CallContext,
): Promise<Begun & { asked: Question }> {
  const opened = await opening
  const { question } = opened
  // A new question is what was asked, so a held call keeps only one of the two.
  const said = opened.fresh ? question : (how.earlier ?? asked)
  if (!sameContent(question, said)) return { opened, question, situation: 'not_asked', asked: said }
  try {
    return Object.assign(await begin(deps, opened, how, call), { asked: said })
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { opened, question, situation: 'unreadable', asked: said }
  }
}

// Thousands of calls are held in this function, which therefore has the loop of `waitForEnd`. Any
// further function or promise that waits would stay in memory with every call, along with
// everything its parameters reach.
async function tellOutcome<Result>(
  deps: AskDeps,
  beginning: Promise<Begun & { asked: Question }>,
  byCall: boolean,
  how: How,
  tell: Tell<Result>,
): Promise<Result> {
  const begun = await beginning
  let outcome: AskOutcome
  try {
    let end: WaitEnd | undefined
    if (begun.waiter) {
      using waiter = begun.waiter
      end = await endAfter(deps, begun.question, 'changed')
      while (!end) end = await endAfter(deps, begun.question, await waiter.next())
    }
    outcome = await outcomeOf(deps, begun, end, byCall)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const { opened, asked } = begun
    const { question } = opened
    outcome = { opened, asked, question, situation: 'unreadable', unmatched: undefined }
  }
  return await tell(deps, outcome, how)
}

async function outcomeOf(
  deps: AskDeps,
  begun: Begun & { asked: Question },
  end: WaitEnd | undefined,
  byCall: boolean,
): Promise<AskOutcome> {
  const { asked } = begun
  const stand = end ? await afterWait(deps, begun.opened, end) : begun
  const { opened, question, situation } = stand
  const unmatched = await whatMatchesNothing(deps, stand, byCall)
  return { opened, question, situation, asked, unmatched }
}

type Begun = Stand & { waiter?: Waiter }

/** The state of a call that does not wait, or the wait that it has begun. */
async function begin(deps: AskDeps, found: Opened, how: How, call: CallContext): Promise<Begun> {
  const { question } = found
  if (question.status === 'notified') return tellOnly(found)
  const { workspaceId, targeting } = question
  const onPage = found.onPage ?? (await deps.openPages?.reach(workspaceId, targeting))
  const opened = onPage && !found.onPage ? { ...found, onPage } : found
  const atOnce = returnsAtOnce(opened, how.wait, deps.clock.now())
  if (!opened.fresh && atOnce === 'ended') await noteCollected(deps.db, question, deps.clock.now())
  if (atOnce) return { opened, question, situation: atOnce }

  const own = await callWaitsUntil(deps.policies, question, how.timeoutMs, call)
  const until = waitUntil(question, own, deps.clock.now())
  if (!opened.fresh) await noteWait(deps.db, question, until)
  return beginWait(deps, opened, until, call)
}

async function afterWait(
  deps: AskDeps,
  opened: Opened,
  { question, because }: WaitEnd,
): Promise<Stand> {
  // A retry of the call may wait on: then somebody is there for the answer.
  if (because === 'hung_up' && !deps.waiters.isWaitedFor(question.id)) {
    await deps.db.write((tx) => markAbandoned(tx, question.id, deps.clock.now()))
  }
  const now = await lookAgain(deps, opened)
  // Read again, because phones that rang later may have accepted it.
  const nobody = because === 'timeout' && !opened.question.detail.paused && nobodyToTell(now)
  return { opened: now, question, situation: nobody ? 'no_devices' : because }
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
  { question, situation }: Stand,
  byCall: boolean,
): Promise<Unmatched | undefined> {
  if (situation !== 'no_devices' && situation !== 'told_nobody') return undefined
  const { workspaceId, targeting } = question
  if (!(await matchesNothing(db.read, workspaceId, targeting))) return undefined
  return { targeting, byCall }
}

/** Nobody can answer here, but it is worth a moment to find out whether somebody was notified. */
async function tellOnly(opened: Opened): Promise<Stand> {
  const { question } = opened
  if (opened.fresh) await opened.sending?.firstOutcomes(FIRST_OUTCOMES_MS)
  return { opened, question, situation: nobodyToTell(opened) ? 'told_nobody' : 'ended' }
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

async function beginWait(
  deps: AskDeps,
  opened: Opened,
  until: number,
  call: CallContext,
): Promise<Begun> {
  const { question } = opened
  const waiter = deps.waiters.add(question.id, until, call.signal)
  // Reported at once, so that a caller that loses this call can find its question again.
  sayWaiting(call, question, until, deps.clock)
  const begun: Begun = { opened, question, situation: 'timeout', waiter }
  if (!opened.fresh || !opened.sending) return begun
  const { sending } = opened
  const woken = await waiter.nextOr(sending.firstOutcomes(FIRST_OUTCOMES_MS))
  if (woken !== undefined) return begun
  if (nobodyToTell(opened)) {
    waiter[Symbol.dispose]()
    return { opened: await lookAgain(deps, opened), question, situation: 'no_devices' }
  }
  const devices = acceptedCount(sending.counts())
  sayWaiting(call, question, until, deps.clock, devices > 0 ? devices : undefined)
  return begun
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
  const sent = `Sent to ${devices} ${devices === 1 ? 'device' : 'devices'}, waiting for an answer`
  call.talk({
    waitedMs: clock.now() - arrivedAt,
    totalMs: until - arrivedAt,
    message: devices === undefined ? 'Waiting for an answer' : sent,
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
