import { readArguments } from '../../platform/terminal/arguments.ts'
import { asClient } from './client.ts'
import { readTimeout } from './duration.ts'
import { waitAndShow } from './wait-loop.ts'

/** `beckon wait`: collects the answer to a question that is already open. */
export async function wait(args: string[]): Promise<number> {
  const given = readArguments(args, { timeout: { type: 'string' }, json: { type: 'boolean' } }, [
    'CORRELATION_ID',
  ])
  const ms = given.timeout === undefined ? undefined : readTimeout(given.timeout)
  const json = given.json ?? false
  return await asClient((client) => waitAndShow(client, given.CORRELATION_ID, { ms, json }))
}
