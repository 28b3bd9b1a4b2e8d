import { addCommand, isProjectFile, readProjectFile } from './commands.ts'
import { readText } from './nested.ts'
import { isRefused, readOptions } from './options.ts'
import { readRow } from './row.ts'
import type { SpecialCall } from './started.ts'
import { ShellState } from './state.ts'

/** The shells whose text is read, by name. */
export const SHELL_NAMES = ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh']

const ROW = readRow(
  'sh | says +first | -c -e -u -x -v -l -n -s -o=t +x --norc --noprofile --login --posix | t',
)

/** `sh -c TEXT`, a script of the project, or text on standard input. */
export function readShell(one: SpecialCall): void {
  const { name, words, call, state, frame } = one
  const parsedOptions = readOptions(words, ROW)
  addCommand(name, words, call, state, frame, { does: 'says', touches: 'named' })
  if (isRefused(parsedOptions, frame)) return
  const [first, ...rest] = parsedOptions.operands
  const via = [...frame.via, name]
  const isPosix = name !== 'bash' && name !== 'zsh'
  const inside = new ShellState()
  inside.places = state.places
  for (const { name: variable } of call.env) inside.vars.set(variable, { sure: 'part' })
  // Variables of this shell that are exported are there as well, and which are is not known.
  for (const variable of state.vars.keys()) inside.vars.set(variable, { sure: 'part' })
  if (parsedOptions.options.includes('-c')) {
    if (first?.sure !== 'text' || first.base) {
      frame.gap('code', call.at, name)
      return
    }
    inside.arguments = rest.some(({ many }) => many) ? undefined : rest.slice(1)
    readText(first.text, inside, frame, { at: first.at, input: call.input, via, isPosix })
    return
  }
  if (first && !parsedOptions.options.includes('-s')) {
    if (!isProjectFile(first) || call.input !== 'own') {
      frame.gap('code', first.at, name)
      return
    }
    readProjectFile(first, rest, call, state, frame.with({ via }))
    return
  }
  if (call.body === undefined) {
    frame.gap(call.input === 'own' ? 'program word' : 'input', call.at, name)
    return
  }
  inside.arguments = rest
  readText(call.body, inside, frame, { at: call.at, input: 'other', via, isPosix })
}
