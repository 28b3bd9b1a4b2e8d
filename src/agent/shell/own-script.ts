import type { Call } from './call.ts'
import type { Arg } from './notes.ts'
import { baseName } from './operands.ts'
import { readOptions } from './options.ts'
import { headOf } from './own-program.ts'

/** A script that lies there, or that this command wrote: what it would run of Beckon counts. */
export function runScript(script: Arg, call: Call, isShell = false) {
  const { shell, places } = call
  if (script.why !== undefined) return
  for (const path of shell.notes.joined(script, places)) {
    const text = shell.notes.written.get(path) ?? headOf(path)
    if (text !== undefined && (isShell || /^#!.*sh\b/.test(text))) shell.readAside(text, places)
  }
}

export const COPIES = /^(cp|ln|mv|install)$/

/** What is a copy of the program, or a link to it, is the program. */
export function copied(args: readonly Arg[], { shell, places }: Call) {
  const { notes } = shell
  const { operands } = readOptions(args, [])
  const from = operands.slice(0, -1).find(({ text }) => /^beckon\b/i.test(baseName(text)))
  const to = operands.at(-1)
  if (!from || !to) return
  for (const path of [to.text, ...notes.joined(to, places)])
    for (const copy of [path, `${path}/${baseName(from.text)}`]) notes.copies.add(copy)
}
