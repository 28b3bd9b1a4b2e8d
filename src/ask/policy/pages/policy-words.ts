import { durationWords } from '../../../platform/duration.ts'
import type { Person } from '../../accounts/model/person.ts'
import { isQuiet } from '../../subscribers/model/quiet-hours.ts'
import type { DeliveryMode, OnTimeout } from '../../wire/delivery-mode.ts'
import { type ChatAnswers, type Policy, type PresetId, presetInForce } from '../model/policy.ts'
import type { Rule } from '../model/rule.ts'
import type { RuleApprove } from '../model/rule-approve.ts'

type ModeWords = { name: string; inRule: string; what: string }

/** The delivery modes, for the person who chooses one; the names are those of docs/policy.md. */
export const MODE_WORDS: Record<DeliveryMode, ModeWords> = {
  push_first: {
    name: 'Devices first',
    inRule: 'ask on devices first',
    what: 'Your devices ring and the agent waits. Without an answer it asks in the terminal.',
  },
  push_only: {
    name: 'Devices only',
    inRule: 'ask on devices only',
    what: 'Your devices ring and the agent goes on waiting until you answer or ten minutes are over. The terminal does not ask.',
  },
  notify_only: {
    name: 'Notify only',
    inRule: 'notify only',
    what: 'Your devices show that something is asked. The agent does not wait: you answer in the terminal.',
  },
  terminal_only: {
    name: 'Terminal only',
    inRule: 'ask in the terminal only',
    what: 'Nothing is sent. You answer in the terminal.',
  },
}

/** Who answers in chats, for the person who chooses. */
export const CHAT_WORDS: Record<ChatAnswers, { name: string; what: string }> = {
  anybody: {
    name: 'Anybody in the channel',
    what: 'Whoever is in a connected Slack channel answers there, by their name in Slack.',
  },
  linked_only: {
    name: 'Linked accounts only',
    what: 'Others see the question, and a link for their account. In Telegram it is always so.',
  },
}

/** The presets, for the person who chooses one. */
export const PRESET_WORDS: Record<PresetId, { name: string; what: string }> = {
  devices_first: {
    name: 'Ask me on every device, wait up to 45 s',
    what: 'Without an answer the agent asks in the terminal. Phones stay silent while you type there.',
  },
  devices_only: {
    name: 'Only my devices, the terminal does not ask',
    what: 'They ring at once and always. The agent waits until you answer or ten minutes are over.',
  },
  quiet: {
    name: 'Keep it quiet: notifications only',
    what: 'You are told that something is asked, and answer in the terminal.',
  },
  terminal: {
    name: 'The terminal decides',
    what: 'Questions are not sent. You answer where the agent runs.',
  },
}

/** The preset that is in force or, once a field was changed by hand, the delivery mode. */
export function policyName(policy: Policy): string {
  const preset = presetInForce(policy)
  return preset ? PRESET_WORDS[preset].name : MODE_WORDS[policy.deliveryMode].name
}

/**
 * Words the effect of a rule, as the end of a sentence: `ask on devices only and wait up to 50 s`.
 */
export function ruleDoes(
  { set, decision, approve }: Pick<Rule, 'set' | 'decision' | 'approve'>,
  names?: RuleNames,
): string {
  const { deliveryMode, waitMs, graceMs, tags, failoverMs, failoverTo, onTimeout } = set
  const parts = [
    decision && DECISIONS[decision],
    approve && approveWords(approve, names),
    deliveryMode && MODE_WORDS[deliveryMode].inRule,
    waitMs !== undefined && `wait up to ${durationWords(waitMs)}`,
    graceMs !== undefined && graceWords(graceMs),
    tags && (tags.length === 0 ? 'use every device' : `use devices tagged ${tags.join(', ')}`),
    failoverMs !== undefined && failoverWords(failoverMs),
    failoverMs === undefined && failoverTo && 'tell other people next',
    onTimeout && ON_TIMEOUT_WORDS[onTimeout].inRule,
  ].filter((part) => typeof part === 'string')
  const last = parts.pop() ?? 'do as the policy says'
  return parts.length > 0 ? `${parts.join(', ')} and ${last}` : last
}

/** The names of groups and people by id. */
export type RuleNames = ReadonlyMap<string, string>

export function nameIn(names: RuleNames, id: string): string {
  return names.get(id) ?? '(gone)'
}

/** `2 of engineers`, `1 of managers`. */
function placesOf(
  { from, need = 1, and = [] }: Pick<RuleApprove, 'from' | 'need' | 'and'>,
  names: RuleNames,
): string[] {
  return [{ from, need }, ...and].map(
    (one) => `${one.need ?? 1} of ${one.from.map((id) => nameIn(names, id)).join(' or ')}`,
  )
}

function approveWords(approve: RuleApprove, names: RuleNames | undefined): string {
  if (names) return `let ${placesOf(approve, names).join(' and ')} decide`
  const { need = 1, and = [] } = approve
  const all = and.reduce((sum, more) => sum + (more.need ?? 1), need)
  return all === 1 ? 'let one of certain people decide' : `let ${all} of certain people decide`
}

function graceWords(ms: number): string {
  return ms === 0 ? 'ring phones at once' : `ring phones ${durationWords(ms)} later`
}

function failoverWords(ms: number): string {
  return ms === 0 ? 'tell nobody else' : `tell the next person after ${durationWords(ms)}`
}

/** Words for the decision of a rule when nobody answers. */
export const ON_TIMEOUT_WORDS: Record<OnTimeout, { name: string; inRule: string }> = {
  deny: { name: 'Decline it', inRule: 'decline when nobody answers' },
  hand_off: {
    name: 'Hand off to the terminal',
    inRule: 'hand off to the terminal when nobody answers',
  },
}

/** Words for the decision about an approval from a hook. */
const DECISIONS = {
  allow: 'allow it without asking',
  deny: 'decline it without asking',
  ask: 'ask, whatever a broader rule says',
} as const

/** Words the effect of the policy on a question now, in one sentence. */
export function inForce(policy: Policy, now: number): string {
  const sentence = whatHappens(policy)
  const { quietHours } = policy
  if (!quietHours || !isQuiet(quietHours, now)) return sentence
  return `Quiet hours until ${quietHours.to}: approvals ring nowhere. Otherwise: ${sentence}`
}

function whatHappens(policy: Policy): string {
  const { deliveryMode, waitMs } = policy
  const wait = durationWords(waitMs)
  const devices = devicesOf(policy)
  switch (deliveryMode) {
    case 'push_first':
      return `Agents ask on ${devices} and wait up to ${wait}; without an answer they ask in the terminal.`
    case 'push_only':
      return `Agents ask on ${devices} and wait, ${wait} a call, until somebody answers or ten minutes are over; the terminal does not ask.`
    case 'notify_only':
      return `Agents show on ${devices} that they ask, and ask in the terminal without waiting.`
    case 'terminal_only':
      return 'Agents ask in the terminal; nothing is sent.'
  }
}

function devicesOf({ targeting, graceMs }: Policy): string {
  const { tags = [] } = targeting
  const which = tags.length > 0 ? `devices tagged ${tags.join(', ')}` : 'every device'
  return graceMs > 0 ? `${which} (phones ${durationWords(graceMs)} later)` : which
}

/** Words the other settings, in short sentences; people are those of the workspace. */
export function alsoInForce(policy: Policy, people: readonly Person[]): string[] {
  const { presenceMs, pauseAfterUnanswered: pause, quietHours, failoverMs, failoverTo } = policy
  const { holdMs, remindMs, turnMs, waitMs, chatAnswers } = policy
  const names = failoverTo.flatMap((id) => people.find((one) => one.id === id)?.name ?? [])
  const failsOver = failoverMs > 0 && names.length > 0
  return [
    ...(presenceMs > 0
      ? [`Phones stay silent for ${durationWords(presenceMs)} after you typed at the terminal.`]
      : []),
    ...(holdMs > waitMs
      ? [`Calls of clients that wait longer are held up to ${durationWords(holdMs)}.`]
      : []),
    ...(pause > 0 ? [`A session pauses after ${approvals(pause)} without an answer.`] : []),
    ...(remindMs > 0
      ? [
          `Every ${durationWords(remindMs)} you are reminded of what is followed, at most three times.`,
        ]
      : []),
    ...(turnMs > 0
      ? [`You are told of the end of a turn of ${durationWords(turnMs)} if nobody was there.`]
      : []),
    ...(quietHours ? [`Quiet hours from ${quietHours.from} to ${quietHours.to}.`] : []),
    ...(chatAnswers === 'linked_only' ? ['In chats only linked accounts answer.'] : []),
    ...(failsOver ? [`After ${durationWords(failoverMs)} unanswered: ${names.join(', ')}.`] : []),
  ]
}

function approvals(count: number): string {
  return count === 1 ? 'one approval' : `${count} approvals in a row`
}
