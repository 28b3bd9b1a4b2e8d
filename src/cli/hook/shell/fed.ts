import { type Arg, argOf, type Notes, type Places } from './notes.ts'
import { baseName } from './operands.ts'
import type { Redirect } from './token.ts'

/** The text that a command hands on as it stands: of `echo`, of here-strings and heredocs. */
export function saidBy(args: readonly Arg[], redirects: readonly Redirect[]): string[] {
  const says = args.some(({ text }) => /^(echo|printf|print|yes)$/.test(baseName(text)))
  return [...(says ? args.map(({ text }) => text) : []), ...redirects.flatMap(textOf)]
}

/**
 * What is handed to a shell, to `xargs`, or to a loop that reads: it may become a command, or the
 * words of one, so that every piece of it could be a path. Takes the texts out of the list: what
 * was read once need not be read again.
 */
export function readFed(texts: string[], notes: Notes, places: Places) {
  for (const text of texts.splice(0)) notes.code(text.replaceAll(/\\[abefnrtv0]/g, ' '), places)
}

function textOf({ op, target, body }: Redirect): string[] {
  if (body !== undefined) return [body]
  return op === '<<<' ? [argOf(target.raw, target.why).text] : []
}
