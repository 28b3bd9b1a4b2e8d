import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { together } from '../../platform/db/together.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { freeUsage } from '../accounts/model/usage-store.ts'
import { countUnanswered } from '../sessions/model/store.ts'
import type { SubscriberId } from '../subscribers/model/subscriber.ts'
import type { Contract } from '../wire/contract.ts'
import type { QuestionId } from '../wire/ids.ts'
import { voidHeldAnswer } from './held-answer.ts'
import { lockHeldAnswer } from './model/held-answer-store.ts'
import { MOVES, type Move, statusAt } from './model/lifecycle.ts'
import { type Ending, isPermission, type Question, type QuestionCounts } from './model/question.ts'
import { findQuestion, listOverdue, moveQuestion } from './model/store.ts'

export type EndQuestionDeps = {
  db: Db
  clock: Clock
  /** Handlers of the end of a question. No handler depends on what another has written. */
  onEnded: readonly OnEnded[]
  /** Handles a vote that leaves its question open. */
  onVote?: OnVote
  counts?: QuestionCounts
}

/** Does what follows from a vote, as `Follow` does from an end. */
export type OnVote = (tx: Tx, question: Question, at: number) => Promise<(() => void) | undefined>

/** A question that has just ended. */
type QuestionEnd = {
  question: Question
  /** When it ended. */
  at: number
  /** The device on which it was answered. */
  endedOn?: SubscriberId | undefined
  /** For a scope: the contract as the person edited it before saying yes. */
  edited?: Contract | undefined
}

/**
 * Does what follows from the end of a question, in the same transaction; it may run again. What it
 * resolves to is called once that is committed.
 */
export type Follow = (tx: Tx, end: QuestionEnd) => Promise<(() => void) | undefined>

/**
 * A consequence that needs to read something. `read` is called before it is known whether the
 * question ends now, so that PostgreSQL gets its queries right after the move, in one round trip.
 */
export type ReadsFirst = {
  read(tx: Tx, of: Pick<Question, 'workspaceId' | 'id'>): Promise<Follow>
}

export type OnEnded = Follow | ReadsFirst

/** A consequence of the end of questions for which `applies` holds, and of no other. */
export function onlyFor(applies: (question: Question) => boolean, follow: Follow): Follow {
  return async (tx, end) => (applies(end.question) ? follow(tx, end) : undefined)
}

/**
 * Runs first in the same transaction; if it throws, the question stays as it was. What it has done is
 * undone if a held answer is in the way, which may be taken back.
 */
export type First = (tx: Tx) => Promise<void>

/**
 * Ends a question by `move`, wakes the calls that wait for it, and does what follows; undefined if
 * it had already ended.
 */
export async function endQuestion(
  deps: EndQuestionDeps,
  move: Move,
  of: EndOf,
): Promise<Question | undefined> {
  const { at = deps.clock.now() } = of
  try {
    const done = await deps.db.write(async (tx) => {
      const end = await endIn(tx, deps, move, { ...of, at })
      if (!end && of.first && (await isHeld(tx, of))) throw IS_HELD
      return end
    })
    done?.after()
    return done?.question
  } catch (error) {
    if (error === IS_HELD) return undefined
    throw error
  }
}

async function isHeld(tx: Tx, { workspaceId, id }: Pick<EndOf, 'workspaceId' | 'id'>) {
  return (await findQuestion(tx, workspaceId, id))?.answerHeldUntil !== undefined
}

const IS_HELD = new Error('an answer is held')

export type EndOf = {
  workspaceId: WorkspaceId
  id: QuestionId
  /** When it ends; otherwise now. */
  at?: number
  ending?: Ending
  endedOn?: SubscriberId
  first?: First | undefined
  /** For a scope: the contract as the person edited it before saying yes. */
  edited?: Contract | undefined
  /** Another effect of this end, in the same transaction. */
  also?: (tx: Tx, question: Question, at: number) => Promise<void>
}

/**
 * As `endQuestion`, as a part of a transaction; `after` is to be called once that is committed.
 */
export async function endIn(
  tx: Tx,
  { onEnded, counts }: Pick<EndQuestionDeps, 'onEnded' | 'counts'>,
  move: Move,
  of: EndOf & { at: number },
): Promise<{ question: Question; after: () => void } | undefined> {
  const { at } = of
  await of.first?.(tx)
  const voidsAnswer = MOVES[move].held === 'any'
  if (voidsAnswer) await lockHeldAnswer(tx, of.id)
  const moving = moveQuestion(tx, move, of.workspaceId, of.id, at, of.ending)
  // The move must be sent first: what others add to the question before it is read, nothing later.
  if (of.ending?.detail) await moving
  const [question, ...follows] = await together(
    moving,
    ...onEnded.map(async (one) => ('read' in one ? one.read(tx, of) : one)),
  )
  if (!question) return undefined
  if (voidsAnswer) await voidHeldAnswer(tx, question, { at, by: question.answeredBy })
  const end = { question, at, endedOn: of.endedOn, edited: of.edited }
  const counting = together(
    freeUsage(tx, question.tokenId, { openQuestions: 1 }),
    countForSession(tx, question),
    Promise.resolve(of.also?.(tx, question, at)),
  )
  const following = together(...follows.map((follow) => follow(tx, end)))
  await together(counting, following)
  const afterwards = await following
  tx.emit('question', question.id)
  const after = () => {
    counts?.ended(question.status)
    for (const one of afterwards) one?.()
  }
  return { question, after }
}

/**
 * Any answer lets the session go on; an approval that nobody answered counts towards a pause. Test
 * traffic, which programs answer, does neither.
 */
async function countForSession(tx: Tx, question: Question): Promise<void> {
  const { workspaceId, machineId = '', sessionId, test } = question
  if (sessionId === undefined || test) return
  const key = { workspaceId, machineId, sessionId }
  if (question.status === 'answered' || question.detail.handedOver)
    return countUnanswered(tx, key, 'answered')
  if (isPermission(question) && wentUnanswered(question))
    await countUnanswered(tx, key, 'unanswered')
}

/**
 * True if it expired, or was withdrawn only after the whole wait; a question that the caller
 * withdrew early does not count.
 */
function wentUnanswered({ status, endedAt, waitEndsAt }: Question): boolean {
  return status === 'expired' || (status === 'cancelled' && (endedAt ?? 0) >= waitEndsAt)
}

/**
 * The question as it may be told at `now`. One whose time is over is ended first: who was told
 * `expired` must not find it open again after the clock was set back, and what follows from its end,
 * such as a pause of its session, must come before the agent's next call. If the storage refuses
 * that now, the question is told as it is.
 */
export async function settled(
  deps: EndQuestionDeps,
  question: Question,
  now: number,
): Promise<Question> {
  if (statusAt(question, now) === question.status) return question
  const { workspaceId, id } = question
  const ended = await unlessUnavailable(endQuestion(deps, 'expire', { workspaceId, id, at: now }))
  if (ended === 'unavailable') return question
  return ended ?? (await findQuestion(deps.db.read, workspaceId, id)) ?? question
}

// A question that nobody reads ends, too: pages and devices are notified of it.
const SWEEP_EVERY_MS = 1_000
const SWEEP_MAX = 500

/** Ends every question whose time is over; resolves to how many. */
export async function expireQuestions(deps: EndQuestionDeps): Promise<number> {
  const overdue = await listOverdue(deps.db.read, deps.clock.now(), SWEEP_MAX)
  const ended = await Promise.all(overdue.map((question) => endQuestion(deps, 'expire', question)))
  return ended.filter(Boolean).length
}

/** Checks now and then every second, until disposed; `report` is called with errors. */
export function keepExpiring(
  deps: EndQuestionDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return repeatEvery(deps.clock, SWEEP_EVERY_MS, () => expireQuestions(deps), report)
}
