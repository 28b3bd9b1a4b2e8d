import Ajv2020 from 'ajv/dist/2020'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { agentTools } from '../../src/ask/mcp/route.ts'
import type { DeliveryMode } from '../../src/ask/wire/delivery-mode.ts'
import type { SendNotificationResult } from '../../src/ask/wire/notification-fields.ts'
import type {
  AskUserResult,
  ProposeScopeResult,
  WaitResult,
} from '../../src/ask/wire/result-fields.ts'

type Result = Partial<AskUserResult & WaitResult & ProposeScopeResult>
export type Asking = 'ask_user' | 'wait_for_answer' | 'propose_scope'
/** What a result must not contradict; `says` is read where the rule's condition holds. */
type Rule = [name: string, when: boolean, holds: boolean]

const ajv = new Ajv2020({ strict: false }).addFormat('uri', true).addFormat('date-time', (text) => {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)
})
const SCHEMAS = new Map(
  (await agentTools({} as never)).map(({ name, outputSchema }) => [
    name,
    ajv.compile(JSON.parse(JSON.stringify(outputSchema))),
  ]),
)

/** Whether `result` is what the tool's output schema describes. */
export function fits(tool: string, result: object): boolean {
  return SCHEMAS.get(tool)?.(JSON.parse(JSON.stringify(result))) ?? false
}

type Next = { nextAction?: unknown; handoffAction?: unknown; hint?: unknown }
/** What a model reads of the hint and the next step, in tokens of the dearer of two tokenizers. */
export function costOfNext(result: Next): number {
  const { nextAction, handoffAction, hint } = result
  const read = JSON.stringify({ nextAction, handoffAction, hint })
  return Math.max(o200k(read), cl100k(read))
}
/** So many tokens may the hint and the next step cost together. */
export const NEXT_MAX = 60

const ENDED = ['answered', 'cancelled', 'expired', 'stopped']

/** Every rule that a result about a question breaks; `waits` is false for `wait: false`. */
export function contradictions(
  result: Result,
  { tool, mode, waits = true }: { tool: Asking; mode: DeliveryMode; waits?: boolean },
): string[] {
  const { status = '', hint = '', nextAction, handoffAction, timedOut, noDevices, paused } = result
  const { held, warning, delivery, answered, suppressed } = result
  const ask = tool === 'ask_user'
  const wait = nextAction === 'wait_for_answer'
  const here = nextAction === 'ask_in_current_client'
  const handOver = handoffAction === 'cancel_then_ask_in_current_client'
  const nobody = !delivery || (delivery.web + delivery.mobile === 0 && !delivery.pending)
  const ended = ENDED.includes(status)
  const open = status === 'pending' || status === 'notified'
  const saysWait = /wait_for_answer|wait once/i.test(hint)
  const saysStop = /stop here|stop\. Finish|wants you to stop/.test(hint)
  // A proposal has no field for `stop`; a nextAction would send where nobody is to be asked.
  const scopeStops = tool === 'propose_scope' && mode === 'push_only' && !nextAction
  const isOver = timedOut && !paused && mode !== 'push_only'
  const rules: Rule[] = [
    ['it fits its schema', true, fits(tool, result)],
    ['hint and next step are short', true, costOfNext(result) <= NEXT_MAX],
    ['a hint says what to do', status !== 'answered', hint !== ''],
    ['a hint that tells to wait has its field', saysWait, wait],
    ['a field that tells to wait has its hint', wait && !held, saysWait],
    [
      'only what may still be answered is waited for',
      wait,
      ['pending', 'unavailable'].includes(status),
    ],
    ['waiting excludes that nobody was told', wait, !noDevices && !paused],
    ['both fields only once the time is over', wait && handOver, timedOut === true],
    ['timedOut is of an open question', timedOut === true, status === 'pending'],
    [
      'a time that is over hands over',
      ask && isOver === true && !/restarting/.test(hint),
      wait && handOver,
    ],
    [
      'the hint of both is one sequence',
      wait && handOver,
      /Wait once, then .*cancel_question/.test(hint),
    ],
    [
      'paused has no nextAction',
      paused === true,
      nextAction === undefined && handoffAction !== undefined,
    ],
    ['paused was sent to nobody', paused === true, nobody && !noDevices && !warning && !held],
    [
      'noDevices warns',
      noDevices === true,
      warning !== undefined && nobody && !timedOut && (here || scopeStops),
    ],
    [
      'a warning is of an open question that reached no device',
      ask && warning !== undefined,
      open && nobody,
    ],
    [
      'answered is answered',
      answered === true,
      status === 'answered' && (tool === 'propose_scope' || result.value !== undefined),
    ],
    ['the other way round', status === 'answered', answered === true],
    [
      'without a wait nothing is said of an answer',
      !waits && status !== 'answered',
      answered === undefined,
    ],
    ['with one it is', waits, answered !== undefined],
    [
      'what has ended asks for no step but to stop',
      ended,
      !nextAction && !timedOut && !noDevices && !paused && !held && !handOver,
    ],
    [
      'what has ended cannot be answered',
      !open || status === 'notified',
      result.expiresInSeconds === undefined && result.answerUrl === undefined,
    ],
    ['stop is said', handoffAction === 'stop', saysStop && !/ask here|ask again/i.test(hint)],
    [
      'and said only with its field',
      saysStop && tool !== 'propose_scope',
      handoffAction === 'stop',
    ],
    ['handing over withdraws first', handOver, /cancel_question/.test(hint)],
    ['push_only never asks elsewhere', mode === 'push_only', !handOver],
    [
      'push_only that has expired stops',
      status === 'expired' && mode === 'push_only' && tool !== 'propose_scope',
      handoffAction === 'stop',
    ],
    ['a mode without a wait says so', ask && status === 'notified', result.mode === 'notify_only'],
    ['and the terminal', ask && status === 'terminal', result.mode === 'terminal_only'],
    [
      'held was sent to nobody',
      held !== undefined,
      nobody && !warning && !noDevices && !suppressed,
    ],
    [
      'a hint never says that the person was told when nobody was',
      noDevices === true,
      !/person was told/.test(hint),
    ],
  ]
  return rules.filter(([, when, holds]) => when && !holds).map(([name]) => name)
}

/** The same for a notification; `silent`: it was to be sent to nobody. */
export function contradictionsOfTelling(result: SendNotificationResult, silent: boolean): string[] {
  const { sent: count, delivery, warning, hint = '', linkedCorrelationId } = result
  const { web, mobile } = delivery
  const open = /have not reported yet/.test(hint)
  const chat = /Posted to/.test(hint)
  const rules: Rule[] = [
    ['it fits its schema', true, fits('send_notification', result)],
    ['the hint is short', true, costOfNext(result) <= NEXT_MAX],
    ['the counts add up', true, count === web.recipients + mobile.recipients],
    [
      'a channel says why it reached nobody',
      true,
      [web, mobile].every(
        ({ recipients, status }) => (recipients === 0) === (status !== undefined),
      ),
    ],
    ['who was reached needs no warning', warning !== undefined, count === 0 && !silent && !open],
    ['nobody reached is warned of', count === 0 && !silent && !open, warning !== undefined],
    [
      'an answer is collected where somebody was asked',
      /Collect the answer/.test(hint),
      linkedCorrelationId !== undefined && (count > 0 || chat || open || silent),
    ],
    ['Slack is not nobody', chat, !/must connect/.test(warning ?? '')],
  ]
  return rules.filter(([, when, holds]) => when && !holds).map(([name]) => name)
}
