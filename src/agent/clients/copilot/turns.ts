import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { omitUndefined } from '../../../platform/json.ts'
import { outcomeOfError, type TurnEvent } from '../../calls/turn-event.ts'
import { fieldsOf } from '../client.ts'
import { firstText } from '../table.ts'

/** Reads what an event of Copilot CLI says of the turn; `event` is its name. Never throws. */
export function readCopilotTurn(input: unknown, event: string): TurnEvent | undefined {
  const fields = fieldsOf(input)
  switch (event) {
    case 'userPromptSubmitted':
    case 'UserPromptSubmit':
      return { is: 'began', ...omitUndefined({ prompt: firstText(fields, ['prompt']) }) }
    case 'agentStop':
    case 'Stop':
      return {
        is: 'ended',
        outcome: 'finished',
        wentOn: fields.stop_hook_active === true,
        ...omitUndefined({ lastWords: lastWordsIn(firstText(fields, RECORD)) }),
      }
    case 'errorOccurred': {
      const message = firstText(fields, ['error.message', 'error.name']) ?? ''
      const failure = { outcome: outcomeOfError(message), lastWords: sentenceIn(message) }
      return { is: fields.recoverable === true ? 'trying' : 'ended', ...failure }
    }
    case 'sessionEnd':
    case 'SessionEnd':
      return { is: 'over', ...omitUndefined({ reason: firstText(fields, ['reason']) }) }
    default:
      return undefined
  }
}

const RECORD = ['transcriptPath', 'transcript_path']

/** The vendor's sentence in an error that is JSON; anything else as it is. */
function sentenceIn(message: string): string {
  try {
    return firstText(fieldsOf(JSON.parse(message)), ['message', 'error.message']) ?? message
  } catch {
    return message
  }
}

// A longer answer is not needed for its last sentence.
const TAIL_MAX = 256 * 1024

/** The agent's last message in the record of a session; undefined if it cannot be read. */
function lastWordsIn(record: string | undefined): string | undefined {
  if (record === undefined) return undefined
  try {
    const messages = tailOf(record).split('\n').flatMap(messageIn)
    return messages.at(-1)
  } catch {
    return undefined
  }
}

function messageIn(line: string): string[] {
  if (!line.includes('"assistant.message"')) return []
  try {
    const { type, data } = fieldsOf(JSON.parse(line))
    const content = firstText(fieldsOf(data), ['content'])
    return type === 'assistant.message' && content !== undefined ? [content] : []
  } catch {
    return []
  }
}

/** Throws when it is not a file. */
function tailOf(path: string): string {
  // Opening a pipe must not wait for its other end.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error('it is not a file')
    const bytes = Buffer.alloc(Math.min(TAIL_MAX, stat.size))
    const at = Math.max(0, stat.size - TAIL_MAX)
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, at)).toString()
  } finally {
    closeSync(file)
  }
}
