import type { ToolHints } from '../wire/gated-call.ts'

const HINTS: ReadonlyArray<readonly [keyof ToolHints, yes: string, no: string]> = [
  ['readOnly', 'only reads', 'may change something'],
  ['destructive', 'may destroy something', 'destroys nothing'],
  ['openWorld', 'reaches other services', 'reaches no other service'],
]

/** What a server says its tool does to the world, in a sentence; undefined if it says nothing. */
export function hintWords(hints: ToolHints | undefined): string | undefined {
  const words = HINTS.flatMap(([name, yes, no]) => {
    const hint = hints?.[name]
    return hint === undefined ? [] : [hint ? yes : no]
  })
  return words.length > 0 ? `Says of itself that it ${words.join(', ')}.` : undefined
}
