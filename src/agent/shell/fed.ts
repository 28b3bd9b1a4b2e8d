import { type Arg, argOf, type Notes, type Places } from './notes.ts'
import { baseName } from './operands.ts'
import type { Redirect } from './token.ts'

const FED_MAX = 50

/** The text that a command passes on literally: of `echo`, here-strings and heredocs. */
export function saidBy(args: readonly Arg[], redirects: readonly Redirect[]): string[] {
  const at = args.findIndex(({ text }) => /^(echo|printf|print|yes)$/.test(baseName(text)))
  const says = at < 0 ? [] : args.slice(at + 1).map(({ text }) => text)
  return [...says, ...redirects.flatMap(textOf)]
}

/**
 * The words that `xargs` makes of such texts, without the options of `echo` and the formats of
 * `printf`.
 */
export function fedWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.replaceAll(/\\[abefnrtv0]/g, ' ').split(/\s+/))
  const named = words.filter((word) => word !== '' && !/^-[neE]+$|%[bqs]/.test(word))
  return named.slice(0, FED_MAX)
}

/**
 * Text that is fed to a shell, to `xargs`, or to a loop that reads may become a command or its
 * words, so every part of it could be a path. Empties the list, because a text is read only once.
 */
export function readFed(texts: string[], notes: Notes, places: Places) {
  for (const text of texts.splice(0)) notes.code(text.replaceAll(/\\[abefnrtv0]/g, ' '), places)
}

function textOf({ op, target, body }: Redirect): string[] {
  if (body !== undefined) return [body]
  return op === '<<<' ? [argOf(target.raw, target.why).text] : []
}
