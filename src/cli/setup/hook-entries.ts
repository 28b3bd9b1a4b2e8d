import type { JsonPath } from './json-document.ts'
import { isOurHook } from './our-hook.ts'
import { type Program, wordsOf } from './program.ts'

/** An event of a client, and how long the client waits for a hook of it. */
export type HookEvents = ReadonlyArray<readonly [event: string, timeout: number | undefined]>

/** Lists of hooks under `hooks`, one for each event, each with one entry of ours. */
export function hookLists(
  events: HookEvents,
  entry: (event: string, timeout: number | undefined) => unknown,
  under: JsonPath = ['hooks'],
) {
  return events.map(([event, timeout]) => ({
    at: [...under, event],
    items: [entry(event, timeout)],
  }))
}

/** The command of a hook in two parts, for clients that start it without a shell. */
export function hookWords(program: Program, client: string) {
  const [command, ...args] = wordsOf(program, 'hook', client)
  return { command, args }
}

/** How entries of a client are known as ours. */
export function ours(client: string): (entry: unknown) => boolean {
  return (entry) => isOurHook(entry, client)
}
