import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { AdapterOptions } from '../../../../packages/js/src/verdict.ts'

/** The call that the stand-in model of every framework makes. */
export const CALL = { tool: 'remove', args: { id: 7, why: 'They asked — “now”.' } } as const

/** What a person is told about it. */
export const OPTIONS: AdapterOptions = {
  waitMs: 20_000,
  tools: { remove: { label: 'Delete a customer', effect: 'It cannot be undone.', risk: 'high' } },
}

/** What a run of an agent did: the calls of its tool, and what its model saw last. */
export type Ran = { ran: unknown[]; seen: unknown }

/** What the tool of every framework does; with `FAILS`, it does not work. */
export function did(ran: unknown[], input: unknown): string {
  ran.push(input)
  if (process.env.FAILS) throw new Error('No such customer.')
  return 'removed'
}

/**
 * What an earlier process stored in the file that the command line names; else what is made, stored.
 * With `CHANGED`, somebody has changed its arguments meanwhile.
 */
export async function stored<T>(make: () => Promise<T>): Promise<T> {
  const path = process.argv[2] ?? ''
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, JSON.stringify(await make()))
    renameSync(`${path}.new`, path)
  }
  const text = readFileSync(path, 'utf8')
  return JSON.parse(process.env.CHANGED ? text.replace(/(\\*"id\\*":)7\b/g, '$18') : text)
}

/** Tells the test, which reads the last line. */
export function report(ran: Ran): void {
  console.log(JSON.stringify(ran))
}
