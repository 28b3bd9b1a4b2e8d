import { durationWords } from '../../../platform/duration.ts'
import type { Person } from '../../accounts/model/person.ts'
import type { Policy } from '../model/policy.ts'
import { isQuiet } from '../model/quiet-hours.ts'

/** What the policy does with a question now, in one sentence. */
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

/** What else is set, in short sentences; people are those of the workspace. */
export function alsoInForce(policy: Policy, people: readonly Person[]): string[] {
  const { presenceMs, pauseAfterUnanswered: pause, quietHours, failoverMs, failoverTo } = policy
  const { holdMs, remindMs, waitMs } = policy
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
    ...(quietHours ? [`Quiet hours from ${quietHours.from} to ${quietHours.to}.`] : []),
    ...(failsOver ? [`After ${durationWords(failoverMs)} unanswered: ${names.join(', ')}.`] : []),
  ]
}

function approvals(count: number): string {
  return count === 1 ? 'one approval' : `${count} approvals in a row`
}
