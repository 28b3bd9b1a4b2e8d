import { omitUndefined } from '../../../platform/json.ts'
import type { TurnEvent } from '../../turns/turn-event.ts'
import { fieldsOf } from '../client.ts'
import { firstText } from '../table.ts'

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
