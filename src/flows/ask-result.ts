import type { Question } from '../questions/question.ts'
import { saidOf, waitEndsAtOf } from '../questions/result.ts'
import type { AskUserResult } from '../questions/result-fields.ts'
import { absolute, decidePath } from './addresses.ts'
import type { Asked } from './ask-and-wait.ts'
import { nextStep } from './next-step.ts'
import type { Opened } from './open-question.ts'
import { reachNow } from './reach-now.ts'

type Telling = Asked & {
  /** What this call asked; another text than the question's when a key was used twice. */
  asked: Question
  /** False for `wait:false`, whose result says nothing of an answer before there is one. */
  wait: boolean
  now: number
  baseUrl: string
}

/**
 * The result of `ask_user`, written for a model that must decide what to do next. `refused`: why
 * a yes did not widen the scope.
 */
export function askResult(telling: Telling, refused?: string): AskUserResult {
  const { question, asked, opened, situation, wait, now, baseUrl } = telling
  const { answered, hint: outcomeHint, ...said } = saidOf(question, now)
  const { hint: nextHint, ...next } = nextStep(situation, question)
  const hint = [otherText(question, asked), refused, chatOnly(opened), outcomeHint, nextHint]
    .filter(Boolean)
    .join(' ')
  return {
    correlationId: question.id,
    question: question.question,
    type: question.type,
    ...said,
    ...(wait || answered ? { answered } : {}),
    ...(said.status === 'pending' ? { answerUrl: absolute(baseUrl, decidePath(question.id)) } : {}),
    ...deliveryOf(opened),
    deliveryMode: question.deliveryMode,
    policyTimeoutMs: question.policyWaitMs,
    waitEndsAt: waitEndsAtOf(question),
    ...next,
    ...(said.status === 'pending' && isHeld(question, now) ? { suppressed: true } : {}),
    ...(hint ? { hint } : {}),
  }
}

/** The phones are silent at this moment, since a terminal is active. */
function isHeld({ detail: { phonesHeldUntil = 0 } }: Question, now: number): boolean {
  return now < phonesHeldUntil
}

function otherText(question: Question, asked: Question): string | undefined {
  if (question.question === asked.question) return undefined
  return 'This id already holds another question, and that one stands: one id means one question.'
}

/** Why nothing is counted although somebody was told. */
function chatOnly(opened: Opened): string | undefined {
  const { web, mobile, chat } = reachNow(opened)
  return chat > 0 && web + mobile === 0 ? 'It was posted to a chat channel.' : undefined
}

/** The counts as far as they are known, also of the earlier question that a call joined. */
export function deliveryOf(opened: Opened): Pick<AskUserResult, 'delivery'> {
  const { web, mobile, pending } = reachNow(opened)
  return { delivery: { web, mobile, ...(pending ? { pending: true } : {}) } }
}
