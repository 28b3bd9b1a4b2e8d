import type { Db } from '../../platform/db/database.ts'
import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { acceptedCount } from '../delivery/model/channel.ts'
import { countDeliveries, listDeliveries } from '../delivery/model/store.ts'
import type { Policies } from '../policy/model/store.ts'
import { type EndQuestionDeps, settled } from '../questions/end-question.ts'
import { findForAgent } from '../questions/find-visible.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { outcomeFields, waitEndsAtOf, waitResultWithout } from '../questions/model/result.ts'
import { readScopeFacts, whyNotWidened } from '../questions/model/scope-facts.ts'
import { scopeResult } from '../questions/model/scope-result.ts'
import type { WaitInput } from '../wire/follow-up-fields.ts'
import type { QuestionId } from '../wire/ids.ts'
import type { WaitResult } from '../wire/result-fields.ts'
import { callWaitsUntil, noteCollected, noteWait, type WaitEnd, waitForEnd } from './call-wait.ts'
import { type NextStep, nextStep, stepAfterWait } from './next-step.ts'
import type { Waiters } from './waiters.ts'

export type WaitForAnswerDeps = EndQuestionDeps & { waiters: Waiters; policies: Policies }

/**
 * Waits for the end of a question that is already open; returns at once if it has ended. An unknown
 * id gives the result `missing` rather than an error, and a question that cannot be read now gives
 * `unavailable`.
 */
export async function waitForAnswer(
  deps: WaitForAnswerDeps,
  input: WaitInput,
  call: CallContext,
): Promise<WaitResult> {
  const result = await unlessUnavailable(waitAndTell(deps, input, call))
  return result === 'unavailable' ? waitResultWithout(input.correlationId, result) : result
}

async function waitAndTell(
  deps: WaitForAnswerDeps,
  input: WaitInput,
  call: CallContext,
): Promise<WaitResult> {
  const { caller, signal } = call
  const id = input.correlationId as QuestionId
  const question = await findForAgent(deps.db.read, caller, id)
  if (!question) return waitResultWithout(id, 'missing')
  if (statusAt(question, deps.clock.now()) !== 'pending') return tell(question, 'ended', deps)

  const own = await callWaitsUntil(deps.policies, question, input.timeoutMs, call)
  const until = Math.min(own, question.expiresAt)
  using waiter = deps.waiters.add(question.id, until, signal)
  call.talk({
    waitedMs: deps.clock.now() - caller.arrivedAt,
    totalMs: until - caller.arrivedAt,
    message: 'Waiting for an answer',
    correlationId: question.id,
  })
  await noteWait(deps.db, question, until)
  const end = await waitForEnd(deps, waiter, question)
  if (end.because === 'hung_up') await noteWait(deps.db, question, deps.clock.now())
  return tell(end.question, end.because, deps)
}

async function tell(
  read: Question,
  because: WaitEnd['because'],
  deps: WaitForAnswerDeps,
): Promise<WaitResult> {
  const { db, clock } = deps
  const question = await settled(deps, read, clock.now())
  await noteCollected(db, question, clock.now())
  const { hint: outcomeHint, ...fields } = outcomeFields(question, clock.now())
  const ended = fields.status === 'pending' ? because : 'ended'
  const { hint: nextHint, ...next } = await stepOf(question, ended, deps)
  const facts = await readScopeFacts(db.read, question, clock.now())
  const { hint: decided, ...scope } = scopeResult(question, fields.answered, facts)
  const refused = await whyNotWidened(db.read, question)
  const hint = decided ?? refused ?? outcomeHint ?? nextHint
  return {
    correlationId: question.id,
    question: question.question,
    type: question.type,
    ...fields,
    ...next,
    waitEndsAt: waitEndsAtOf(question),
    ...scope,
    ...(fields.answered && question.detail.forSession ? { forSession: true } : {}),
    ...(hint ? { hint } : {}),
  }
}

/** One more wait is enough, unless there is no other way of asking or no call has waited yet. */
async function stepOf(
  question: Question,
  because: WaitEnd['because'],
  { db }: WaitForAnswerDeps,
): Promise<Partial<WaitResult>> {
  const mayKnow = await mayHaveNotified(db, question)
  if (because !== 'ended') return { timedOut: true, ...stepAfterWait(because, question, mayKnow) }
  const callState = question.status === 'notified' && !mayKnow ? 'told_nobody' : 'ended'
  return omitUndefined(pick(nextStep(callState, question)))
}

function pick({ nextAction, hint }: NextStep) {
  return { nextAction, hint }
}

/** Returns true if the push of the question has reached somebody, or still may. */
async function mayHaveNotified({ read }: Db, question: Question): Promise<boolean> {
  const { status, deliveryMode, workspaceId, id } = question
  // In other modes nothing depends on it.
  if (status !== 'notified' && deliveryMode !== 'push_only') return true
  const counts = countDeliveries(await listDeliveries(read, workspaceId, id))
  return acceptedCount(counts) > 0 || counts.pending
}
