import type { TurnOutcome } from '../../wire/turn-fields.ts'

/** What is known when a turn has ended. */
export type TurnFacts = {
  outcome: TurnOutcome
  durationMs: number | undefined
  /** For how long nobody has typed at the terminal; undefined: not known. */
  idleMs: number | undefined
  /** Whether the client says that somebody is at it; undefined: it does not say. */
  attended: boolean | undefined
  /** When a terminal of the machine was last reported as active. */
  terminalActiveAt: number | undefined
  /** The turn was begun from the phone, and nobody has typed since. */
  fromPhone: boolean
}

/** Whether people are told of the end of a turn, or it is looked at again after `ms`. */
export type Telling = { is: 'now' } | { is: 'later'; ms: number } | { is: 'never' }

const NEVER: Telling = { is: 'never' }
const NOW: Telling = { is: 'now' }
const TOLD: ReadonlySet<TurnOutcome> = new Set(['finished', 'failed', 'rate_limited', 'waits'])

/**
 * Whether people are told: if the turn took longer than `turnMs`, and for as long nobody was at the
 * terminal. A turn that was begun from the phone is told however long it took. Where the terminal is not known, what the client says counts, then the last report of a
 * terminal on the machine. `turnMs` 0: never.
 */
export function tellOf(facts: TurnFacts, turnMs: number, now: number): Telling {
  const { outcome, durationMs, idleMs, attended, terminalActiveAt, fromPhone } = facts
  if (turnMs === 0 || !TOLD.has(outcome)) return NEVER
  // A turn of unknown length may have been short.
  const isLong = durationMs !== undefined && durationMs >= turnMs
  if (!isLong && !fromPhone) return NEVER
  const idle = idleMs ?? (attended === false ? turnMs : now - (terminalActiveAt ?? 0))
  return idle >= turnMs ? NOW : { is: 'later', ms: turnMs - idle }
}
