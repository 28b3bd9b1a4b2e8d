import { omitUndefined } from '../../../platform/json.ts'
import { outcomeOfError, type TurnEvent } from '../../calls/turn-event.ts'
import { fieldsOf } from '../client.ts'
import type { ClientTurns } from '../client-turns.ts'
import { firstText } from '../table.ts'

/** How long the plugin waits for the hook of an idle session, in milliseconds. */
const OPENCODE_IDLE_MS = 24 * 60 * 60_000

const MARGIN_MS = 10_000
const ENDS = new Set(['session.idle', 'session.error'])

/** The plugin waits beside the session and hands the text in: nothing is busy meanwhile. */
export const OPENCODE_TURNS: ClientTurns = {
  blocks: false,
  waits: ({ rawEvent }) =>
    ENDS.has(rawEvent) ? { ms: OPENCODE_IDLE_MS - MARGIN_MS, blocks: false } : undefined,
}

/** Reads what an event of OpenCode's plugin says of the turn. Never throws. */
export function readOpenCodeTurn(input: unknown): TurnEvent | undefined {
  const fields = fieldsOf(input)
  if (fields.noTurn === true) return undefined
  const properties = fieldsOf(fields.properties)
  switch (firstText(fields, ['event', 'type'])) {
    case 'session.status':
      return ofStatus(fieldsOf(properties.status))
    case 'session.idle': {
      const lastWords = firstText(fields, ['lastWords'])
      return { is: 'ended', outcome: 'finished', ...omitUndefined({ lastWords }) }
    }
    case 'session.error': {
      const error = fieldsOf(properties.error)
      // The person pressed Esc.
      if (error.name === 'MessageAbortedError') return { is: 'ended', outcome: 'interrupted' }
      const message = firstText(error, ['data.message', 'name']) ?? ''
      const code = fieldsOf(error.data).statusCode
      const outcome = code === 429 ? 'rate_limited' : outcomeOfError(message)
      return { is: 'ended', outcome, ...(message === '' ? {} : { lastWords: message }) }
    }
    case 'session.deleted':
      return { is: 'over' }
    default:
      return undefined
  }
}

function ofStatus(status: Record<string, unknown>): TurnEvent | undefined {
  if (status.type === 'busy') return { is: 'began' }
  if (status.type !== 'retry') return undefined
  const message = firstText(status, ['message'])
  const outcome = outcomeOfError(message ?? '')
  return { is: 'trying', outcome, ...omitUndefined({ lastWords: message }) }
}
