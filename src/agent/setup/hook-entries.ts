import type { Wish } from './client-setup.ts'
import { inOwnEnvironment } from './environment.ts'
import type { JsonPath } from './json-document.ts'
import { isOurHook } from './our-hook.ts'
import { commandLine, wordsOf } from './program.ts'

/** With it a hook also stops commands that it cannot read to their end. */
export const STRICT = '--strict'

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

/** The words that start our hook, whatever the agent was started with; `event` for clients whose input does not name it. */
export function hookWords(
  { program, strict, place }: Pick<Wish, 'program' | 'strict' | 'place'>,
  client: string,
  event?: string,
): string[] {
  const named = event === undefined ? [] : [event]
  const words = wordsOf(program, 'hook', client, ...named, ...(strict ? [STRICT] : []))
  return inOwnEnvironment(place, words)
}

/** As `hookWords`, for clients that hand a line to a shell. */
export function hookLine(...about: Parameters<typeof hookWords>): string {
  return commandLine(hookWords(...about))
}

/** How entries of a client are known as ours. */
export function ours(client: string): (entry: unknown) => boolean {
  return (entry) => isOurHook(entry, client)
}
