import type { Db } from '../db/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { given } from '../kernel/given.ts'
import type { QuestionId } from '../kernel/ids.ts'
import type { WaitInput } from '../questions/follow-up-fields.ts'
import { statusAt } from '../questions/lifecycle.ts'
import type { Question } from '../questions/question.ts'
import { RESTARTING_HINT, saidOf, waitEndsAtOf, waitResultWithout } from '../questions/result.ts'
import type { WaitResult } from '../questions/result-fields.ts'
import { findQuestion } from '../questions/store.ts'
import type { Waiting } from '../questions/waiting.ts'
import type { Call } from './call.ts'
import { nextStep } from './next-step.ts'
import { readScopeFacts, whyNotWidened } from './scope-facts.ts'
import { scopeResult } from './scope-result.ts'
import { waitForEnd } from './wait-for-end.ts'

export type WaitForAnswerDeps = { db: Db; clock: Clock; waiting: Waiting }

/**
 * Waits for the end of a question that is already open; returns at once when it has ended
 * (design: wait_for_answer). An unknown id is the result `missing`, not an error.
 */
export async function waitForAnswer(
  deps: WaitForAnswerDeps,
  input: WaitInput,
  call: Call,
): Promise<WaitResult> {
  const { caller, signal } = call
  const id = input.correlationId as QuestionId
  const question = await find(deps, caller.workspaceId, id)
  if (question === 'unavailable') return waitResultWithout(id, 'unavailable')
  if (!question) return waitResultWithout(id, 'missing')
  if (statusAt(question, deps.clock.now()) !== 'pending') return tell(question, 'ended', deps)

  const wanted = caller.arrivedAt + (input.timeoutMs ?? question.policyWaitMs)
  const until = Math.min(wanted, question.expiresAt)
  using seat = deps.waiting.sit(question.id, until, signal)
  call.talk({
    waitedMs: deps.clock.now() - caller.arrivedAt,
    totalMs: until - caller.arrivedAt,
    message: 'Waiting for an answer',
  })
  const end = await waitForEnd(deps, seat, question)
  return tell(end.question, end.because, deps)
}

async function find(deps: WaitForAnswerDeps, workspaceId: Question['workspaceId'], id: QuestionId) {
  try {
    return await findQuestion(deps.db.read, workspaceId, id)
  } catch (error) {
    if (error instanceof Failure && error.code === 'unavailable') return 'unavailable'
    throw error
  }
}

async function tell(
  question: Question,
  because: string,
  { db, clock }: WaitForAnswerDeps,
): Promise<WaitResult> {
  const { hint: outcomeHint, ...said } = saidOf(question, clock.now())
  const later =
    said.status === 'pending'
      ? { timedOut: true, ...nextAfter(because, question) }
      : given({ nextAction: nextStep('ended', question).nextAction })
  const facts = await readScopeFacts(db.read, question, clock.now())
  const { hint: edited, ...scope } = scopeResult(question, said.answered, facts)
  const refused = await whyNotWidened(db.read, question)
  const hint = edited ?? refused ?? outcomeHint ?? laterHint(because, question)
  return {
    correlationId: question.id,
    question: question.question,
    type: question.type,
    ...said,
    ...later,
    waitEndsAt: waitEndsAtOf(question),
    ...scope,
    ...(said.answered && question.detail.forSession ? { forSession: true } : {}),
    ...(hint ? { hint } : {}),
  }
}

/** One more wait is enough, unless there is no other way of asking or nobody has waited yet. */
function nextAfter(
  because: string,
  { deliveryMode }: Question,
): Pick<WaitResult, 'nextAction' | 'handoffAction'> {
  if (because === 'closing' || deliveryMode === 'push_only')
    return { nextAction: 'wait_for_answer' }
  return {
    nextAction: 'ask_in_current_client',
    handoffAction: 'cancel_then_ask_in_current_client',
  }
}

function laterHint(because: string, question: Question): string | undefined {
  if (because === 'ended') return nextStep('ended', question).hint
  const { deliveryMode } = question
  return LATER[because === 'timeout' && deliveryMode === 'push_only' ? 'push_only' : because]
}

const LATER: Record<string, string> = {
  timeout:
    'Still no answer, which is not a no. Withdraw the question with cancel_question and ask here.',
  push_only:
    'Still no answer, which is not a no. Call wait_for_answer until the question has ended.',
  closing: RESTARTING_HINT,
}
