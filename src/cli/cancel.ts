import { cleanLine } from '../kernel/text.ts'
import type { CancelResult } from '../questions/result-fields.ts'
import { readArguments } from './arguments.ts'
import { asClient } from './client.ts'
import { EXIT } from './command.ts'
import { note, say } from './terminal.ts'

/** `beckon cancel`: withdraws a question; when something else ended it first, says what. */
export async function cancel(args: string[]): Promise<number> {
  const given = readArguments(args, { json: { type: 'boolean' } }, ['CORRELATION_ID'])
  return await asClient(async (client) => {
    const path = `/questions/${encodeURIComponent(given.CORRELATION_ID)}/cancel`
    const result = await client.call<CancelResult>('POST', path, { body: {} })
    if (given.json) say(JSON.stringify(result))
    else if (result.cancelled) say(cleanLine(told(result)))
    else note(cleanLine(told(result)))
    return result.cancelled ? EXIT.done : EXIT.failed
  })
}

function told({ correlationId, cancelled, status, value }: CancelResult): string {
  if (cancelled) return `${correlationId} is withdrawn.`
  if (status === 'missing') return `The server knows no question ${correlationId}.`
  const answer = value === undefined ? '' : ` with ${JSON.stringify(value)}`
  return `${correlationId} was not withdrawn: it is ${status}${answer}.`
}
