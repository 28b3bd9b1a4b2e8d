import { clientTitle } from '../../wire/client-titles.ts'
import type { SessionInstruction } from '../model/instruction.ts'
import { hasEnded, IN_ROW_MAX, isHeld, type Turn, type TurnState } from '../model/turn.ts'

/** What the turn of a session has come to, as pages say it. */
export const STATE_WORDS: Record<TurnState, string> = {
  working: 'It is at work since',
  finished: 'It finished at',
  failed: 'It failed at',
  rate_limited: 'It hit a rate limit at',
  waits: 'It waits for you since',
  busy: 'Its background tasks run since',
  interrupted: 'Somebody interrupted it at the terminal at',
  over: 'The session ended at',
}

/** What becomes of a text that is sent now, in a sentence. */
export function reachWords(turn: Turn, now: number): string {
  const client = clientTitle(turn.client)
  if (turn.state === 'over')
    return `The session is gone. What you send waits until somebody resumes it; or start ${client} again with it.`
  if (turn.inRow >= IN_ROW_MAX)
    return `It got ${IN_ROW_MAX} instructions in a row, and nobody typed at its terminal. What you send waits until somebody types there.`
  if (!hasEnded(turn)) return 'What you send is delivered when this turn has ended.'
  if (isHeld(turn, now) || turn.door === 'plugin')
    return `${client} waits for your words, and begins with them at once.`
  if (turn.door === 'queue' || turn.door === 'input_file')
    return `${client} begins with your words at once.`
  if (turn.letGo === 'typed')
    return 'Somebody typed at its terminal. What you send is delivered when that turn has ended.'
  return 'Nothing can wake it now. What you send is delivered at the end of its next turn.'
}

/** How far an instruction got; `at` follows it. Never says that the agent has it before an event showed it. */
export function instructionWords(
  { state, takenAt, handedOverAt, endedAt }: SessionInstruction,
  turn: Turn,
  now: number,
): { words: string; at?: number | undefined } {
  switch (state) {
    case 'waiting':
      return { words: queuedWords(turn, now) }
    case 'handed_over':
      return { words: `Not begun yet; with ${clientTitle(turn.client)} since`, at: handedOverAt }
    case 'taken':
      return { words: 'Delivered at', at: takenAt }
    case 'withdrawn':
      return { words: 'Withdrawn at', at: endedAt }
  }
}

function queuedWords(turn: Turn, now: number): string {
  if (turn.state === 'over') return 'The session is gone: start it again with this sentence'
  if (turn.inRow >= IN_ROW_MAX) return 'Queued until somebody types at its terminal'
  if (!hasEnded(turn)) return 'Queued for the end of this turn'
  const isReached = isHeld(turn, now) || (turn.door !== undefined && OPEN_DOORS.has(turn.door))
  return isReached ? 'Queued: it is about to begin' : 'Queued for when it wakes'
}

const OPEN_DOORS: ReadonlySet<NonNullable<Turn['door']>> = new Set([
  'plugin',
  'queue',
  'input_file',
])
