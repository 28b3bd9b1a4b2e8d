import { omitUndefined } from '../../../platform/json.ts'
import type { TurnEvent } from '../../calls/turn-event.ts'
import { fieldsOf } from '../client.ts'
import type { ClientTurns } from '../client-turns.ts'
import { firstText } from '../table.ts'

/** How long Gemini CLI waits for the end-of-turn hook, in milliseconds; the hook waits less. */
export const GEMINI_STOP_MS = 8 * 60 * 60_000

const MARGIN_MS = 10_000

/**
 * After Esc the hook lives on, and its answer would begin a turn: it lets go at the key.
 */
export const GEMINI_TURNS: ClientTurns = {
  blocks: true,
  waits: ({ event }) =>
    event === 'stop' ? { ms: GEMINI_STOP_MS - MARGIN_MS, blocks: true } : undefined,
}

/** Reads what an event of Gemini CLI says of the turn. Never throws. */
export function readGeminiTurn(input: unknown): TurnEvent | undefined {
  const fields = fieldsOf(input)
  switch (fields.hook_event_name) {
    case 'BeforeAgent':
      return { is: 'began', ...omitUndefined({ prompt: firstText(fields, ['prompt']) }) }
    case 'AfterAgent':
      return {
        is: 'ended',
        outcome: 'finished',
        joined: true,
        wentOn: fields.stop_hook_active === true,
        ...omitUndefined({ lastWords: firstText(fields, ['prompt_response']) }),
      }
    case 'SessionEnd':
      return { is: 'over', ...omitUndefined({ reason: firstText(fields, ['reason']) }) }
    default:
      return undefined
  }
}
