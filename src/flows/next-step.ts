import type { Question } from '../questions/question.ts'
import { nobodyWarning, RESTARTING_HINT, TEST_TRAFFIC_HINT } from '../questions/result.ts'
import type { AskUserResult } from '../questions/result-fields.ts'
import type { AskSituation } from './ask-and-wait.ts'

/** What a result says beside the outcome: why the call returned, and what to do now. */
export type NextStep = Partial<AskUserResult>

/** The next step by where the call stands and by mode (design: Effective policy). */
export function nextStep(situation: AskSituation, question: Question): NextStep {
  const { paused } = question.detail
  const open = question.status === 'pending' && situation !== 'ended'
  return {
    ...STEPS[situation](question),
    ...(open && paused ? { paused } : {}),
  }
}

const ASK_HERE = { nextAction: 'ask_in_current_client' } as const
const CANCEL_THEN_ASK = {
  ...ASK_HERE,
  handoffAction: 'cancel_then_ask_in_current_client',
} as const

const STEPS: Record<AskSituation, (question: Question) => NextStep> = {
  ended: ({ status, detail }) => BY_MODE[status]?.(detail) ?? {},
  held: ({ held }) => (held === 'unattributed' ? UNATTRIBUTED : TEST_TRAFFIC),
  no_devices: ({ deliveryMode, detail }) => ({
    noDevices: true,
    warning: nobodyWarning(detail.switchedOff),
    ...(deliveryMode === 'push_only' ? STOP_WITHOUT_DEVICES : ASK_WITHOUT_DEVICES),
  }),
  told_nobody: ({ status, detail }) => ({
    ...BY_MODE[status]?.(detail),
    noDevices: true,
    warning: nobodyWarning(detail.switchedOff),
    hint: 'Nobody was told. Ask here.',
  }),
  paused: () => ({
    ...CANCEL_THEN_ASK,
    hint: 'Nothing was sent: the last approvals of this session went unanswered. Withdraw the question with cancel_question and end this call as unanswered. An answer to any question of the session, or Resume on its page, lifts this.',
  }),
  not_waiting: () => ({
    nextAction: 'wait_for_answer',
    hint: 'Go on with other work, then call wait_for_answer with this correlationId.',
  }),
  timeout: ({ deliveryMode }) => (deliveryMode === 'push_only' ? KEEP_WAITING : WAIT_ONCE_MORE),
  hung_up: () => ({ timedOut: true, nextAction: 'wait_for_answer' }),
  closing: () => ({
    timedOut: true,
    nextAction: 'wait_for_answer',
    hint: RESTARTING_HINT,
  }),
}

const UNATTRIBUTED: NextStep = {
  held: 'unattributed',
  ...CANCEL_THEN_ASK,
  hint: 'Recorded, delivered to nobody: a permission ask needs toolName or sessionId, so that the person can tell whose it is.',
}
const TEST_TRAFFIC: NextStep = {
  held: 'test_traffic',
  nextAction: 'wait_for_answer',
  hint: TEST_TRAFFIC_HINT,
}
const ASK_WITHOUT_DEVICES: NextStep = {
  ...CANCEL_THEN_ASK,
  hint: 'Nobody was told. Do not wait: withdraw the question with cancel_question and ask here.',
}
const STOP_WITHOUT_DEVICES: NextStep = {
  ...ASK_HERE,
  handoffAction: 'stop',
  hint: 'Nobody was told, and this workspace wants no other way of asking. Do not wait: stop here and say why.',
}
const WAIT_ONCE_MORE: NextStep = {
  timedOut: true,
  nextAction: 'wait_for_answer',
  handoffAction: 'cancel_then_ask_in_current_client',
  hint: 'No answer yet, which is not a no. Call wait_for_answer once; if that times out too, withdraw the question with cancel_question and ask here.',
}
const KEEP_WAITING: NextStep = {
  timedOut: true,
  nextAction: 'wait_for_answer',
  hint: 'No answer yet, which is not a no. This workspace answers by push alone: call wait_for_answer until the question has ended.',
}

/** The modes in which a call never waits. */
const BY_MODE: Partial<Record<Question['status'], (detail: Question['detail']) => NextStep>> = {
  notified: () => ({
    mode: 'notify_only',
    ...ASK_HERE,
    hint: 'The person was told, but answers in the current client: ask here.',
  }),
  terminal: ({ quiet }) => ({
    mode: 'terminal_only',
    ...ASK_HERE,
    hint: quiet
      ? 'Quiet hours: nothing was sent. Ask here.'
      : 'This workspace answers in the current client alone: nothing was sent. Ask here.',
  }),
}
