import { durationWords } from '../../../platform/duration.ts'
import type { DeliveryMode, Policy } from '../model/policy.ts'
import { type PresetId, presetInForce } from '../model/presets.ts'
import type { OnTimeout, Rule } from '../model/rule.ts'

type ModeWords = { name: string; short: string; what: string }

/** The delivery modes, for the person who chooses one; the names are those of docs/policy.md. */
export const MODE_WORDS: Record<DeliveryMode, ModeWords> = {
  push_first: {
    name: 'Devices first',
    short: 'devices first',
    what: 'Your devices ring and the agent waits. Without an answer it asks in the terminal.',
  },
  push_only: {
    name: 'Devices only',
    short: 'devices only',
    what: 'Your devices ring and the agent goes on waiting until you answer or ten minutes are over. The terminal does not ask.',
  },
  notify_only: {
    name: 'Notify only',
    short: 'notify only',
    what: 'Your devices show that something is asked. The agent does not wait: you answer in the terminal.',
  },
  terminal_only: {
    name: 'Terminal only',
    short: 'terminal only',
    what: 'Nothing is sent. You answer in the terminal.',
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

/** What a rule changes: `devices only, wait 50 s`. */
export function ruleSets({ set, decision }: Rule): string {
  const { deliveryMode, waitMs, graceMs, tags, failoverMs, onTimeout } = set
  const parts = [
    deliveryMode && MODE_WORDS[deliveryMode].short,
    waitMs !== undefined && `wait ${durationWords(waitMs)}`,
    graceMs !== undefined &&
      (graceMs === 0 ? 'phones at once' : `phones ${durationWords(graceMs)} later`),
    tags && (tags.length === 0 ? 'every device' : `only devices tagged ${tags.join(', ')}`),
    failoverMs !== undefined &&
      (failoverMs === 0 ? 'nobody else is told' : `next person after ${durationWords(failoverMs)}`),
    decision && DECISIONS[decision],
    onTimeout && ON_TIMEOUT_WORDS[onTimeout].short,
  ]
  return parts.filter(Boolean).join(', ')
}

/** What a rule says happens when nobody answers. */
export const ON_TIMEOUT_WORDS: Record<OnTimeout, { name: string; short: string }> = {
  deny: { name: 'Decline it', short: 'decline when nobody answers' },
  hand_off: {
    name: 'Hand off to the terminal',
    short: 'hand off to the terminal when nobody answers',
  },
}

/** What happens to an approval from a hook. */
const DECISIONS = {
  allow: 'allow without asking',
  deny: 'decline without asking',
  ask: 'always ask',
} as const
