import { isoTime } from '../../../platform/clock.ts'
import { cutBytes, quotedJson } from '../../../platform/text.ts'
import { NEITHER } from '../../wire/outcome-texts.ts'
import type { StoredStatus } from '../../wire/question-fields.ts'
import type { CancelResult, WaitResult } from '../../wire/result-fields.ts'
import { isOnePerLine } from './answer.ts'
import { valueOnWire } from './edit.ts'
import { statusAt } from './lifecycle.ts'
import { outcomeKindOf, type Question } from './question.ts'
import { voteHint } from './vote-hint.ts'

/** The fields that every result about a stored question has. */
type OutcomeFields = Pick<
  WaitResult,
  | 'value'
  | 'note'
  | 'answerSource'
  | 'expiresInSeconds'
  | 'nextAction'
  | 'handoffAction'
  | 'hint'
  | 'env'
> & { status: StoredStatus; answered: boolean }

/** The state of the question at `now`, as its agent is told. */
export function outcomeFields(question: Question, now: number): OutcomeFields {
  const status = statusAt(question, now)
  const stops = endsTheAgent(question, status)
  const hint =
    voteHint(question, status, now) ??
    ruledHint(question, status) ??
    usualHint(question, status, stops)
  return {
    status,
    answered: status === 'answered',
    ...(status === 'answered' ? answerOf(question) : {}),
    ...(status === 'pending' ? { expiresInSeconds: secondsLeft(question, now) } : {}),
    ...(stops ? { handoffAction: 'stop' as const } : {}),
    ...(handsOff(question, status) ? { nextAction: 'ask_in_current_client' as const } : {}),
    ...(hint ? { hint } : {}),
    ...(question.test ? { env: 'test' as const } : {}),
  }
}

/**
 * Returns true if the agent must stop: the question was stopped, or nobody answered it and a rule
 * makes that a no, or (push_only) there is nobody else to ask.
 */
function endsTheAgent({ deliveryMode, detail }: Question, status: StoredStatus): boolean {
  if (status !== 'expired') return status === 'stopped'
  const decision = detail.onTimeout?.decision
  return decision === undefined ? deliveryMode === 'push_only' : decision === 'deny'
}

/** A rule leaves an unanswered question to the client. */
function handsOff({ detail }: Question, status: StoredStatus): boolean {
  return status === 'expired' && detail.onTimeout?.decision === 'hand_off'
}

/**
 * Words the decision of a rule about a question that nobody answered; it is never called a person's
 * no.
 */
function ruledHint(question: Question, status: StoredStatus): string | undefined {
  const { onTimeout } = question.detail
  if (status !== 'expired' || !onTimeout) return undefined
  const nobody = `Nobody answered within ${lifeWords(question)}`
  return onTimeout.decision === 'deny'
    ? `${nobody}, so ${ruleWords(onTimeout)} declines. No person said no. Do not do it: stop here and say so.`
    : `${nobody}, ${NEITHER[outcomeKindOf(question)]}. By ${ruleWords(onTimeout)}, ask here.`
}

// A hint costs at most 60 tokens, and a token has at least one byte.
const RULE_BYTES_MAX = 24
const PLAIN_RULE = /^[\p{L}\p{N} _.:@/+#*-]+$/u

/** The rule by its name, as far as there is room for it. */
export function ruleWords({ rule }: { rule: string }): string {
  const short = cutBytes(rule, RULE_BYTES_MAX)
  return `the rule for ${PLAIN_RULE.test(short) ? short : quotedJson(short)}`
}

function usualHint(question: Question, status: StoredStatus, stops: boolean): string | undefined {
  if (status === 'stopped') {
    return 'The person wants you to stop. Finish cleanly and end your turn.'
  }
  const neither = NEITHER[outcomeKindOf(question)]
  if (status === 'cancelled') return `It was withdrawn, ${neither}. Do not wait for it.`
  if (status !== 'expired') return severalHint(question, status)
  const nobody = `Nobody answered within ${lifeWords(question)}, ${neither}`
  return stops
    ? `${nobody}. Do not ask elsewhere: stop here and say why.`
    : `${nobody}. Ask here, or go on with what does not need it.`
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long it could be answered: 10 minutes, or longer for one that its agent followed. */
function lifeWords({ createdAt, expiresAt }: Pick<Question, 'createdAt' | 'expiresAt'>): string {
  const life = expiresAt - createdAt
  if (life >= 2 * HOUR_MS) return `${Math.round(life / HOUR_MS)} hours`
  return `${Math.round(life / MINUTE_MS)} minutes`
}

/** How to split the single string again. */
function severalHint(question: Question, status: StoredStatus): string | undefined {
  const { value } = question
  if (status !== 'answered' || value === undefined || !isOnePerLine(question, value)) {
    return undefined
  }
  return 'Several options were chosen: each line of value is one.'
}

function answerOf(question: Question) {
  const { note, answerSource } = question
  const value = valueOnWire(question)
  return {
    ...(value === undefined ? {} : { value }),
    ...(note === undefined ? {} : { note }),
    ...(answerSource === undefined ? {} : { answerSource }),
  }
}

/** For how many whole seconds the question can still be answered. */
function secondsLeft(question: Pick<Question, 'expiresAt'>, now: number): number {
  return Math.max(0, Math.ceil((question.expiresAt - now) / 1000))
}

/** Why a question was withdrawn whose task the client ended; the person sees it. */
export const TASK_WITHDRAWN = 'The agent no longer waits for it.'

/** `missing` and `unavailable` are results for an id and never stored. */
export function waitResultWithout(
  correlationId: string,
  status: 'missing' | 'unavailable',
): WaitResult {
  const result = { correlationId, status, answered: false }
  return status === 'missing' ? { ...result, hint: MISSING_HINT } : { ...result, ...UNREADABLE }
}

export function cancelResultWithout(
  correlationId: string,
  status: 'missing' | 'unavailable',
): CancelResult {
  const hint = status === 'missing' ? MISSING_HINT : CANCEL_AGAIN_HINT
  return { correlationId, cancelled: false, status, hint }
}

const MISSING_HINT = 'No question has this correlationId here, which is no answer. Check the id.'
const CANCEL_AGAIN_HINT =
  'The server cannot look right now, so nothing was withdrawn. Call cancel_question again shortly.'
/** For a question that is stored but cannot be read now. */
export const UNREADABLE = {
  nextAction: 'wait_for_answer',
  hint: 'The server cannot look right now. The question is not lost: call wait_for_answer again shortly.',
} as const

export function waitEndsAtOf(question: Pick<Question, 'waitEndsAt'>): string {
  return isoTime(question.waitEndsAt)
}

/** The hint of every waiting tool when its call ends early. */
export const RESTARTING_HINT =
  'The server is restarting; the question lives on. Call wait_for_answer in a few seconds.'
export const TEST_TRAFFIC_HINT =
  'Test traffic: delivered to nobody, answered on the activity page. Call wait_for_answer.'
