import type { DeliveryMode } from '../model/policy.ts'
import type { OnTimeout, Rule } from '../model/rule.ts'

type ModeWords = { name: string; short: string; what: string }

/** What each mode does, for the person who chooses one. */
export const MODE_WORDS: Record<DeliveryMode, ModeWords> = {
  push_first: {
    name: 'Ask me, then in the agent’s window',
    short: 'push first',
    what: 'Your devices ring and the agent waits. When you do not answer, it asks in its own window.',
  },
  push_only: {
    name: 'Ask me, and nowhere else',
    short: 'push only',
    what: 'Your devices ring and the agent goes on waiting until you answer or ten minutes are over. It never asks in its own window.',
  },
  notify_only: {
    name: 'Only tell me',
    short: 'notify only',
    what: 'Your devices show that something is asked. The agent does not wait: you answer in its own window.',
  },
  terminal_only: {
    name: 'Leave my devices alone',
    short: 'terminal only',
    what: 'Nothing is sent. You answer in the agent’s own window.',
  },
}

/** `50 s`, `1.5 s`, `2 min`. */
export function duration(ms: number): string {
  return ms >= 120_000 && ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`
}

/** What a rule changes: `push only, wait 50 s`. */
export function ruleSets({ set, decision }: Rule): string {
  const { deliveryMode, waitMs, graceMs, tags, failoverMs, onTimeout } = set
  const parts = [
    deliveryMode && MODE_WORDS[deliveryMode].short,
    waitMs !== undefined && `wait ${duration(waitMs)}`,
    graceMs !== undefined &&
      (graceMs === 0 ? 'phones at once' : `phones after ${duration(graceMs)}`),
    tags && (tags.length === 0 ? 'every device' : `only devices tagged ${tags.join(', ')}`),
    failoverMs !== undefined &&
      (failoverMs === 0 ? 'nobody else is told' : `next person after ${duration(failoverMs)}`),
    decision && DECISIONS[decision],
    onTimeout && ON_TIMEOUT_WORDS[onTimeout].short,
  ]
  return parts.filter(Boolean).join(', ')
}

/** What a rule says happens when nobody answers. */
export const ON_TIMEOUT_WORDS: Record<OnTimeout, { name: string; short: string }> = {
  deny: { name: 'Decline it', short: 'decline when nobody answers' },
  hand_off: {
    name: 'Let the agent ask in its own window',
    short: 'own window when nobody answers',
  },
}

/** What happens to an approval from a hook. */
const DECISIONS = {
  allow: 'allow without asking',
  deny: 'decline without asking',
  ask: 'always ask',
} as const
