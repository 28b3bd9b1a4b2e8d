import { clientTitle } from '../../wire/client-titles.ts'
import type { SessionInstruction } from '../model/instruction.ts'
import { hasEnded, IN_ROW_MAX, isHeld, type Turn, type TurnState } from '../model/turn.ts'

/** What the turn of a session has come to, as pages say it. */
export const STATE_WORDS: Record<TurnState, string> = {
  working: 'It is at work',
  finished: 'It finished',
  failed: 'It failed',
  rate_limited: 'It hit a rate limit',
  waits: 'It waits for you',
  busy: 'Its background tasks still run',
  interrupted: 'It was interrupted at the terminal',
  over: 'The session has ended',
}

/** What becomes of a text that is sent now, in a sentence. */
export function reachWords(turn: Turn, now: number): string {
  const client = clientTitle(turn.client)
  if (turn.inRow >= IN_ROW_MAX)
    return `${IN_ROW_MAX} instructions followed each other without a key at the terminal. Type there, then it goes on.`
  if (turn.state === 'over')
    return `Your words wait for the next start of this session. Or copy them and start ${client} again with them.`
  if (!hasEnded(turn)) return 'Your words are delivered when its turn has ended.'
  if (isHeld(turn, now) || turn.door === 'plugin') return `${client} waits for your words.`
  if (turn.door === 'queue') return `${client} begins with them at once.`
  if (turn.door === 'input_file') return `${client} reads them from its input file.`
  if (turn.letGo === 'typed')
    return 'Somebody typed at the terminal; your words wait for its next end.'
  return `${client} cannot be woken now. Your words wait for the end of its next turn, or its next start.`
}

/** How far an instruction got. Never says that the agent has it before an event showed it. */
export function instructionWords(one: SessionInstruction, client: string): string {
  switch (one.state) {
    case 'waiting':
      return 'Waits'
    case 'handed_over':
      return `Handed over to ${clientTitle(client)}, not begun yet`
    case 'taken':
      return 'Begun'
    case 'withdrawn':
      return 'Withdrawn'
  }
}
