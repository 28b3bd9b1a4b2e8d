import type { DeliveryCounts } from '../delivery/model/channel.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { outcomeKindOf, type Question } from '../questions/model/question.ts'
import {
  RESTARTING_HINT,
  ruleWords,
  TEST_TRAFFIC_HINT,
  UNREADABLE,
} from '../questions/model/result.ts'
import { openVoteHint } from '../questions/model/vote-hint.ts'
import { elsewhere, noDeviceHas, type Unmatched } from '../subscribers/model/unmatched.ts'
import { NEITHER } from '../wire/outcome-texts.ts'
import type { AskUserResult } from '../wire/result-fields.ts'

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
  /** The id belongs to a question about something else. */
  | 'not_asked'
  /** The question is stored, but its state cannot be read now. */
  | 'unreadable'

/** The fields of a result besides the outcome: why the call returned, and what to do now. */
export type NextStep = Partial<AskUserResult>

/** The situation of a call at `now`: a question that has run out since counts as ended. */
export function callStateAt(
  callState: AskSituation,
  question: Question,
  now: number,
): AskSituation {
  const isOver = question.status === 'pending' && statusAt(question, now) !== 'pending'
  return isOver && !STAYS.has(callState) ? 'ended' : callState
}

// The outcome of the question changes neither of these.
const STAYS: ReadonlySet<AskSituation> = new Set(['unreadable', 'not_asked'])

type About = { question: Question; nobody: NobodyBecause }

/**
 * The next step of an `ask_user` or `propose_scope`, by situation and mode. Fields and hint agree:
 * a hint says to wait only with `nextAction: wait_for_answer`, which comes first and is done once;
 * after that `handoffAction` counts, or `nextAction` without one.
 */
export function nextStep(
  callState: AskSituation,
  question: Question,
  nobody: Omit<NobodyBecause, 'switchedOff'> = { unmatched: undefined, refused: false },
): NextStep {
  const { paused, switchedOff } = question.detail
  const open = question.status === 'pending' && callState !== 'ended' && callState !== 'not_asked'
  const why = { ...nobody, switchedOff }
  if (open && paused) return pausedStep(callState, question)
  return STEPS[callState]({ question, nobody: why })
}

/** Returns the result of `wait_for_answer` for a question that nobody has answered yet. */
export function stepAfterWait(
  because: 'timeout' | 'hung_up' | 'closing',
  question: Question,
  wasNotified: boolean,
): Pick<NextStep, 'nextAction' | 'handoffAction' | 'hint'> {
  const { deliveryMode, held, detail } = question
  if (detail.paused) {
    const { handoffAction, hint } = pausedHandoff(question)
    return { handoffAction, hint }
  }
  if (because === 'closing') return { nextAction: 'wait_for_answer', hint: RESTARTING_HINT }
  if (question.requirement) return { nextAction: 'wait_for_answer', hint: openVoteHint(question) }
  if (deliveryMode !== 'push_only') {
    const declines = declinedBy(question)
    if (declines) return { ...STOP, hint: `${declines}: cancel_question, stop here.` }
    if (detail.lifeMs === undefined || held === 'unattributed')
      return { ...CANCEL_THEN_ASK, hint: `${noAnswerYet(question)} ${STILL_NOTHING}` }
  }
  if (held === 'unattributed') return { ...STOP, hint: UNATTRIBUTED.stop }
  if (!wasNotified && !held)
    return { ...HANDOFFS[handoffFor(question)], hint: nobodyHint(question) }
  return { nextAction: 'wait_for_answer', hint: `${noAnswerYet(question)} ${KEEP_WAITING}` }
}

const ASK_HERE = { nextAction: 'ask_in_current_client' } as const
const CANCEL_THEN_ASK = {
  ...ASK_HERE,
  handoffAction: 'cancel_then_ask_in_current_client',
} as const
const STOP = { ...ASK_HERE, handoffAction: 'stop' } as const

const HANDOFFS = { stop: STOP, cancel_then_ask_in_current_client: CANCEL_THEN_ASK } as const
type Handoff = keyof typeof HANDOFFS

/** How a mode, or a rule, hands over a question that will not be answered. */
function handoffFor({ deliveryMode, detail }: Question): Handoff {
  const { decision } = detail.onTimeout ?? {}
  if (decision !== undefined)
    return decision === 'deny' ? 'stop' : 'cancel_then_ask_in_current_client'
  return deliveryMode === 'push_only' ? 'stop' : 'cancel_then_ask_in_current_client'
}

/** Says that a rule declines unanswered questions; the caller says what to do. */
function declinedBy({ detail }: Question): string | undefined {
  if (detail.onTimeout?.decision !== 'deny') return undefined
  return `Nobody answered, so ${ruleWords(detail.onTimeout)} declines. No person said no. Do not do it`
}

const STEPS: Record<AskSituation, (about: About) => NextStep> = {
  ended: ({ question }) =>
    question.detail.undecidable
      ? { noDevices: true, ...STOP }
      : (BY_MODE[question.status]?.(question) ?? {}),
  held: ({ question }) =>
    question.held === 'unattributed' ? unattributed(question) : TEST_TRAFFIC,
  no_devices: ({ question, nobody }) => ({
    noDevices: true,
    warning: nobodyWarning(nobody),
    ...HANDOFFS[handoffFor(question)],
    hint: withAdvice(nobodyHint(question), nobody),
  }),
  told_nobody: ({ question, nobody }) => ({
    ...BY_MODE[question.status]?.(question),
    noDevices: true,
    warning: nobodyWarning(nobody),
    hint: withAdvice('Nobody was told. Ask here.', nobody),
  }),
  paused: ({ question }) => pausedStep('paused', question),
  not_waiting: () => ({
    nextAction: 'wait_for_answer',
    hint: 'Go on with other work, then call wait_for_answer.',
  }),
  timeout: ({ question }) => unanswered(question),
  // Nobody reads it.
  hung_up: ({ question }) => unanswered(question),
  closing: () => ({ timedOut: true, nextAction: 'wait_for_answer', hint: RESTARTING_HINT }),
  // Waiting would hand over the answer to something else.
  not_asked: () => ASK_HERE,
  unreadable: () => UNREADABLE,
}

/** Nothing was sent, so the call does not wait, not even once. */
function pausedStep(callState: AskSituation, question: Question): NextStep {
  return {
    paused: true,
    ...(callState === 'paused' ? {} : { timedOut: true }),
    ...pausedHandoff(question),
  }
}

function pausedHandoff(question: Question): { handoffAction: Handoff; hint: string } {
  const declines = declinedBy(question)
  const { handoffAction, hint } = PAUSED[handoffFor(question)]
  if (!declines) return { handoffAction, hint }
  return {
    handoffAction,
    hint: `${PAUSED_WHY} ${declines}: cancel_question, stop here.`,
  }
}

function nobodyHint(question: Question): string {
  const declines = declinedBy(question)
  if (!declines) return NOBODY[handoffFor(question)]
  return `Nobody was told. ${declines}: cancel_question, stop here.`
}

function unattributed(question: Question): NextStep {
  const handoff = handoffFor(question)
  return { held: 'unattributed', ...HANDOFFS[handoff], hint: UNATTRIBUTED[handoff] }
}

function unanswered(question: Question): NextStep {
  const { deliveryMode, detail } = question
  const wait = { timedOut: true, nextAction: 'wait_for_answer' } as const
  const yet = noAnswerYet(question)
  if (question.requirement) return { ...wait, hint: openVoteHint(question) }
  if (deliveryMode === 'push_only') return { ...wait, hint: `${yet} ${KEEP_WAITING}` }
  if (detail.onTimeout?.decision === 'deny') {
    return {
      ...wait,
      handoffAction: 'stop',
      hint: `No answer yet. ${waitThenDeclined(detail.onTimeout)}`,
    }
  }
  if (detail.lifeMs !== undefined) return { ...wait, hint: `${yet} ${KEEP_WAITING}` }
  return {
    ...wait,
    handoffAction: 'cancel_then_ask_in_current_client',
    hint: `${yet} ${WAIT_ONCE}`,
  }
}

function withAdvice(hint: string, nobody: NobodyBecause): string {
  const advice = targetHint(nobody)
  return advice ? `${hint} ${advice}` : hint
}

const noAnswerYet = (question: Question) => `No answer yet, ${NEITHER[outcomeKindOf(question)]}.`
const WAIT_ONCE =
  'Wait once, then hand over: call wait_for_answer; if none, cancel_question and ask here.'
const waitThenDeclined = (onTimeout: NonNullable<Question['detail']['onTimeout']>) =>
  `Wait once: call wait_for_answer; if none, ${ruleWords(onTimeout)} declines, no person: cancel_question, stop here.`
const STILL_NOTHING = 'Withdraw it with cancel_question and ask here.'
const KEEP_WAITING = 'Call wait_for_answer until the question has ended.'

const TEST_TRAFFIC: NextStep = {
  held: 'test_traffic',
  nextAction: 'wait_for_answer',
  hint: TEST_TRAFFIC_HINT,
}

const UNATTRIBUTED_WHY = 'Recorded, delivered to nobody: it names neither toolName nor sessionId.'
const UNATTRIBUTED: Record<Handoff, string> = {
  cancel_then_ask_in_current_client: `${UNATTRIBUTED_WHY} Withdraw it with cancel_question and ask here.`,
  stop: `${UNATTRIBUTED_WHY} Do not wait: stop here and say why.`,
}
const NOBODY: Record<Handoff, string> = {
  cancel_then_ask_in_current_client:
    'Nobody was told. Do not wait: withdraw it with cancel_question and ask here.',
  stop: 'Nobody was told. Do not wait: stop here and say why.',
}
const PAUSED_WHY = 'Nothing was sent: earlier approvals went unanswered.'
const PAUSED_UNTIL = 'An answer in the session, or Resume on its page, lifts this.'
const PAUSED: Record<Handoff, { handoffAction: Handoff; hint: string }> = {
  cancel_then_ask_in_current_client: {
    handoffAction: 'cancel_then_ask_in_current_client',
    hint: `${PAUSED_WHY} Withdraw it with cancel_question and take it as unanswered. ${PAUSED_UNTIL}`,
  },
  stop: {
    handoffAction: 'stop',
    hint: `${PAUSED_WHY} Withdraw it with cancel_question, stop here and say why. ${PAUSED_UNTIL}`,
  },
}

/** The modes in which a call never waits. */
const BY_MODE: Partial<Record<Question['status'], (question: Question) => NextStep>> = {
  notified: () => ({
    mode: 'notify_only',
    ...ASK_HERE,
    hint: 'The person was told, but answers in the current client: ask here.',
  }),
  terminal: (question) =>
    question.detail.handedOver ? askInClient(question) : byMode(question.detail.quiet),
}

/** A person looked at it, and decides in the client. */
function askInClient(question: Question): NextStep {
  const neither = NEITHER[outcomeKindOf(question)]
  return {
    ...ASK_HERE,
    hint: `The person wants to decide this in the current client: ask here. So far it is ${neither}.`,
  }
}

function byMode(quiet: boolean | undefined): NextStep {
  return {
    mode: 'terminal_only',
    ...ASK_HERE,
    hint: quiet
      ? 'Quiet hours: nothing was sent. Ask here.'
      : 'This workspace answers in the current client alone: nothing was sent. Ask here.',
  }
}

/** Why nobody could be notified, apart from nothing being connected. */
export type NobodyBecause = {
  /** Set if people switched such messages off for all or some of the devices. */
  switchedOff: 'all' | 'some' | undefined
  /** The target that no device matches. */
  unmatched: Unmatched | undefined
  /** True if it was addressed to devices or chat channels, and none accepted it. */
  refused: boolean
}

/** The `warning` of a result that reached nobody: why, and what would change it. */
export function nobodyWarning({ switchedOff, unmatched, refused }: NobodyBecause): string {
  if (unmatched) return noDeviceHas(unmatched.targeting)
  if (switchedOff === 'all') return SWITCHED_OFF
  const why = refused ? NONE_ACCEPTED : CONNECT_ONE
  return switchedOff ? `${why} ${SOME_SWITCHED_OFF}` : why
}

/** For the hint, if the target was wrong: how the next message is delivered. */
export function targetHint({ unmatched }: NobodyBecause): string | undefined {
  return unmatched && elsewhere(unmatched)
}

/**
 * The `warning` of a result that only reached chats and mailboxes; undefined if a device was reached, or still
 * may be.
 */
export function chatAloneWarning(counts: DeliveryCounts): string | undefined {
  const { web, mobile, chat, pending, addressedWeb, addressedMobile, switchedOff } = counts
  if (chat === 0 || pending || web + mobile > 0) return undefined
  const why =
    addressedWeb + addressedMobile > 0 ? 'No phone or browser accepted it' : 'No phone or browser'
  const off = switchedOff.browser + switchedOff.phone > 0
  return off ? `${why}; ${CHAT_TOLD}. ${SOME_SWITCHED_OFF}` : `${why}; ${CHAT_TOLD}`
}

const CHAT_TOLD = 'only a chat or mailbox was told'
const NONE_ACCEPTED = 'No connected device accepted this; Settings, Devices says why.'
const CONNECT_ONE =
  'No phone, browser or chat channel could receive this. The person must connect one: open the server’s page, then Settings, Devices.'
const SWITCHED_OFF =
  'Devices are connected, but the person has switched this kind of message off for them. It is only on the server’s pages. To be told, they must switch it on: Settings, Notifications.'
const SOME_SWITCHED_OFF =
  'On other devices the person has switched this kind of message off: Settings, Notifications.'
