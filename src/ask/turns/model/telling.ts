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
  /** For how long the turn has been over. */
  endedMs: number
  /** The turn was begun from the phone, and nobody has typed since. */
  fromPhone: boolean
}

/** People are told. `unknown`: nothing says whether somebody is at the terminal. */
export type ToldNow = { is: 'now'; presence: 'away' | 'unknown' }

/** Whether people are told of the end of a turn, or it is looked at again after `ms`. */
export type Telling = ToldNow | { is: 'later'; ms: number } | { is: 'never' }

export const NOW: ToldNow = { is: 'now', presence: 'away' }
const NEVER: Telling = { is: 'never' }
const TOLD: ReadonlySet<TurnOutcome> = new Set(['finished', 'failed', 'rate_limited', 'waits'])

/**
 * Whether people are told: if the turn took longer than `turnMs`, and for as long nobody was at the
 * terminal. A turn that was begun from the phone is told however long it took. `turnMs` 0: never.
 *
 * Where the terminal is not known, what the client says counts, then the last report of a terminal on
 * the machine. Without any of these nobody knows who is there. Silence would lose the end for good,
 * and a push at once would disturb who watches. So it is told once the session has stood still for
 * `turnMs`, because who sits there goes on by then, and the message says that it is not known.
 */
export function tellOf(facts: TurnFacts, turnMs: number, now: number): Telling {
  const { outcome, durationMs, fromPhone, endedMs } = facts
  if (turnMs === 0 || !TOLD.has(outcome)) return NEVER
  // A turn of unknown length may have been short.
  const isLong = durationMs !== undefined && durationMs >= turnMs
  if (!isLong && !fromPhone) return NEVER
  const idleMs = idleOf(facts, turnMs, now)
  const presence = idleMs === undefined ? 'unknown' : 'away'
  const quietMs = idleMs ?? (fromPhone ? turnMs : endedMs)
  return quietMs >= turnMs ? { is: 'now', presence } : { is: 'later', ms: turnMs - quietMs }
}

/** For how long nobody has been at the terminal; undefined if nothing says it. */
function idleOf(
  { idleMs, attended, terminalActiveAt }: TurnFacts,
  turnMs: number,
  now: number,
): number | undefined {
  if (idleMs !== undefined) return idleMs
  if (attended === false) return turnMs
  return terminalActiveAt === undefined ? undefined : now - terminalActiveAt
}
