import type { Question } from '../questions/question.ts'
import { NO_DEVICES_WARNING, saidOf, waitEndsAtOf } from '../questions/result.ts'
import type { AskUserResult } from '../questions/result-fields.ts'
import { absolute, decidePath } from './addresses.ts'
import type { Asked, AskSituation } from './ask-and-wait.ts'
import type { Opened } from './open-question.ts'

type Telling = Asked & {
  /** What this call asked; another text than the question's when a key was used twice. */
  asked: Question
  now: number
  baseUrl: string
}

/** The result of `ask_user`, written for a model that must decide what to do next. */
export function askResult(telling: Telling): AskUserResult {
  const { question, asked, opened, situation, now, baseUrl } = telling
  const { answered, hint: outcomeHint, ...said } = saidOf(question, now)
  const { hint: nextHint, ...next } = NEXT[situation](question)
  const hint = [otherText(question, asked), outcomeHint, nextHint].filter(Boolean).join(' ')
  return {
    correlationId: question.id,
    question: question.question,
    type: question.type,
    ...said,
    ...(situation === 'not_waiting' ? {} : { answered }),
    ...(said.status === 'pending' ? { answerUrl: absolute(baseUrl, decidePath(question.id)) } : {}),
    ...deliveryOf(opened),
    deliveryMode: question.deliveryMode,
    policyTimeoutMs: question.policyWaitMs,
    waitEndsAt: waitEndsAtOf(question),
    ...next,
    ...(hint ? { hint } : {}),
  }
}

type Next = Partial<AskUserResult>

const NEXT: Record<AskSituation, (question: Question) => Next> = {
  ended: () => ({}),
  held: heldNext,
  no_devices: () => ({
    noDevices: true,
    nextAction: 'ask_in_current_client',
    handoffAction: 'cancel_then_ask_in_current_client',
    warning: NO_DEVICES_WARNING,
    hint: 'Nobody was told. Do not wait: withdraw the question with cancel_question and ask here.',
  }),
  not_waiting: () => ({
    nextAction: 'wait_for_answer',
    hint: 'Go on with other work, then call wait_for_answer with this correlationId.',
  }),
  timeout: () => ({
    timedOut: true,
    nextAction: 'wait_for_answer',
    handoffAction: 'cancel_then_ask_in_current_client',
    hint: 'No answer yet, which is not a no. Call wait_for_answer once; if that times out too, withdraw the question with cancel_question and ask here.',
  }),
  hung_up: () => ({ timedOut: true, nextAction: 'wait_for_answer' }),
  closing: () => ({
    timedOut: true,
    nextAction: 'wait_for_answer',
    hint: 'The server is restarting; the question lives on. Call wait_for_answer in a few seconds.',
  }),
}

function heldNext({ held }: Question): Next {
  if (held === 'unattributed') {
    return {
      held,
      nextAction: 'ask_in_current_client',
      handoffAction: 'cancel_then_ask_in_current_client',
      hint: 'Recorded, delivered to nobody: a permission ask needs toolName or sessionId, so that the person can tell whose it is.',
    }
  }
  return {
    held: 'test_traffic',
    nextAction: 'wait_for_answer',
    hint: 'Test traffic: recorded, delivered to nobody. It can be answered from the activity page.',
  }
}

function otherText(question: Question, asked: Question): string | undefined {
  if (question.question === asked.question) return undefined
  return 'This id already holds another question, and that one stands: one id means one question.'
}

/** The counts as far as they are known; a call that joined an earlier question has none. */
export function deliveryOf(opened: Opened): Pick<AskUserResult, 'delivery'> {
  if (!opened.fresh) return {}
  const reach = opened.sending?.reach()
  if (!reach) return { delivery: { web: 0, mobile: 0 } }
  const { web, mobile, pending } = reach
  return { delivery: { web, mobile, ...(pending ? { pending } : {}) } }
}
