import { omitUndefined } from '../../platform/json.ts'
import { outcomeOfError, type TurnEvent } from '../calls/turn-event.ts'
import { fieldsOf, isText } from './client.ts'

/**
 * Reads what an event says of the turn, for the clients with the events of Claude Code. Undefined
 * for events that say nothing of it. Never throws.
 */
export function readClaudeTurn(input: unknown): TurnEvent | undefined {
  const fields = fieldsOf(input)
  switch (fields.hook_event_name) {
    case 'UserPromptSubmit':
      return { is: 'began', ...omitUndefined({ prompt: textOf(fields.prompt) }) }
    case 'Stop':
      return {
        is: 'ended',
        outcome: hasRunningTask(fields.background_tasks) ? 'busy' : 'finished',
        wentOn: fields.stop_hook_active === true,
        ...lastWordsOf(fields),
      }
    case 'StopFailure':
      return { is: 'ended', outcome: failureOf(fields), ...lastWordsOf(fields) }
    case 'Interrupt':
      return { is: 'ended', outcome: 'interrupted' }
    case 'Notification':
      return fields.notification_type === 'idle_prompt'
        ? { is: 'ended', outcome: 'waits' }
        : undefined
    case 'SessionEnd':
      return { is: 'over', ...omitUndefined({ reason: textOf(fields.reason) }) }
    default:
      return undefined
  }
}

function failureOf({ error, last_assistant_message: message }: Record<string, unknown>) {
  return outcomeOfError([error, message].filter(isText).join(' '))
}

function lastWordsOf({ last_assistant_message: message }: Record<string, unknown>) {
  return omitUndefined({ lastWords: textOf(message) })
}

/** A task without a status may run. */
function hasRunningTask(tasks: unknown): boolean {
  if (!Array.isArray(tasks)) return false
  return tasks.some((task) => {
    const { status } = fieldsOf(task)
    return status === 'running' || !isText(status)
  })
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined
}
