import type { CancelResult } from '../../ask/wire/result-fields.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadClientConfig } from '../../platform/config/config-reader.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { EndsWith } from '../../platform/terminal/ends-with.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { type ApiClient, asClient, NoService } from '../api-client.ts'
import { readQuestionId } from './wait.ts'

/** `beckon cancel`: withdraws a question; when something else ended it first, says what. */
export async function cancel(args: string[], readClientConfig: ReadClientConfig): Promise<number> {
  const flags = readArguments(args, { json: { type: 'boolean' } }, ['CORRELATION_ID'])
  const id = readQuestionId(flags.CORRELATION_ID)
  return await asClient(readClientConfig, async (client) => {
    const path = `/questions/${encodeURIComponent(id)}/cancel`
    const result = await withdraw(client, path)
    if (flags.json) say(JSON.stringify(result))
    else if (result.cancelled) say(cleanLine(summary(result)))
    else note(cleanLine(summary(result)))
    return result.cancelled ? EXIT.done : EXIT.failed
  })
}

async function withdraw(client: ApiClient, path: string): Promise<CancelResult> {
  try {
    return await client.call<CancelResult>('POST', path, { body: {} })
  } catch (error) {
    // The server can be used: this token may not withdraw the question.
    const isRefused = error instanceof NoService && error.code === 'forbidden'
    throw isRefused ? new EndsWith(EXIT.failed, error) : error
  }
}

function summary({ correlationId, cancelled, status, value }: CancelResult): string {
  if (cancelled) return `${correlationId} is withdrawn.`
  if (status === 'missing') return `The server knows no question ${correlationId}.`
  const answer = value === undefined ? '' : ` with ${JSON.stringify(value)}`
  return `${correlationId} was not withdrawn: it is ${status}${answer}.`
}
