import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import type { Policies } from '../policy/model/store.ts'
import { holdMsOf } from '../policy/plan.ts'
import { didNotComeBack } from '../questions/model/came-back.ts'
import { addDetail } from '../questions/model/detail-store.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question, QuestionDetail } from '../questions/model/question.ts'
import { findQuestion } from '../questions/model/store.ts'
import { WAIT_MAX_MS } from '../wire/limits.ts'
import type { Waiter, Woken } from './waiters.ts'

/**
 * Until when this call waits for the end of a stored question. The usual wait counts from the
 * arrival of the call; a longer one from the question, so that it reaches the question's end.
 */
export async function callWaitsUntil(
  policies: Policies,
  question: Question,
  timeoutMs: number | undefined,
  call: CallContext,
): Promise<number> {
  const { arrivedAt } = call.caller
  const waitMs = await waitOf(policies, question, timeoutMs, call)
  return (waitMs > WAIT_MAX_MS ? Math.max(arrivedAt, question.createdAt) : arrivedAt) + waitMs
}

async function waitOf(
  policies: Policies,
  { workspaceId, policyWaitMs, detail }: Question,
  timeoutMs: number | undefined,
  { clientWaitsMs }: CallContext,
): Promise<number> {
  if (timeoutMs !== undefined || clientWaitsMs === undefined) return timeoutMs ?? policyWaitMs
  const { policy } = await policies.of(workspaceId)
  const endsInTime = detail.paused === true || detail.onTimeout !== undefined
  return holdMsOf(policy, { timeoutMs, policyWaitMs, clientWaitsMs, endsInTime })
}

/** Why a wait is over. */
export type WaitEnd = { question: Question; because: 'ended' | Exclude<Woken, 'changed'> }

/**
 * Reads the question after each change until it has ended or the wait is over. The waiter was
 * created before the first read, so no answer is missed in between.
 */
export async function waitForEnd(
  deps: { db: Db; clock: Clock },
  waiter: Waiter,
  question: Question,
): Promise<WaitEnd> {
  let end = await endAfter(deps, question, 'changed')
  while (!end) end = await endAfter(deps, question, await waiter.next())
  return end
}

/**
 * Reads the question after `woken`: how the wait ended, or undefined if it goes on. Create the
 * waiter before the first read, which is after `changed`.
 */
export async function endAfter(
  { db, clock }: { db: Db; clock: Clock },
  question: Question,
  reason: Woken,
): Promise<WaitEnd | undefined> {
  const { workspaceId, id } = question
  const now = (await findQuestion(db.read, workspaceId, id)) ?? question
  if (statusAt(now, clock.now()) !== 'pending') return { question: now, because: 'ended' }
  return reason === 'changed' ? undefined : { question: now, because: reason }
}

/**
 * Records that a later call waits for this question until the instant `until`, if that is longer
 * than the call that asked. The wait continues even if it cannot be written.
 */
export async function noteWait(db: Db, question: Question, until: number): Promise<void> {
  const { waitEndsAt, abandonedAt, detail } = question
  const isWithin = until <= waitEndsAt && abandonedAt === undefined && !detail.notWaited
  if (isWithin) return
  await note(db, question, { waitsUntil: until })
}

/** Records that a later call has fetched the outcome, if none had waited for it. */
export async function noteCollected(db: Db, question: Question, now: number): Promise<void> {
  const status = statusAt(question, now)
  const isFinal = status === 'answered' || status === 'expired'
  if (!isFinal || !didNotComeBack(question)) return
  await note(db, question, { collectedAt: now })
}

/** Keeps what was written to the detail meanwhile. */
async function note(db: Db, question: Question, more: QuestionDetail) {
  await unlessUnavailable(db.write((tx) => addDetail(tx, question, more)))
}
