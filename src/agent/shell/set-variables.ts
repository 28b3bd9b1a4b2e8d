import type { Call } from './call.ts'
import type { Arg } from './notes.ts'

export const SETS =
  /^(export|declare|typeset|local|readonly|unset|read|mapfile|readarray|getopts|printf|vared)$/

/** `export a=b` sets what it says; what the others put into a variable is not known. */
export function setVariables(name: string, args: readonly Arg[], { shell }: Call) {
  const keeps = /^(export|declare|typeset|local|readonly)$/.test(name)
  const plainly = keeps && !args.some(({ text }) => /^-[^xrg]/.test(text))
  for (const { raw, text, why } of args) {
    const [, variable = '', adds, value] = /^([A-Za-z_]\w*)(?:(\+?)=(.*))?$/s.exec(raw) ?? []
    if (variable === '') {
      if (why !== undefined && !text.startsWith('-')) shell.variables.forget()
    } else if (value !== undefined || !keeps)
      shell.variables.set(variable, plainly && adds === '' && why === undefined ? value : undefined)
  }
}
