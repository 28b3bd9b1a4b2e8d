import { changesOf } from './changes.ts'
import { DEPTH_MAX, type Frame } from './frame.ts'
import { parseShell, type SyntaxNode, walkTree } from './parse.ts'
import type { Input, Span } from './reading.ts'
import type { ShellState } from './state.ts'

export type NestedText = {
  at: Span
  input: Input
  via?: readonly string[]
  /**
   * The shell may be a smaller one than bash, in which some forms mean something else; left out: the
   * one that reads the text around.
   */
  isPosix?: boolean
}

/** Reads text that a shell is given to run: `sh -c`, `eval`, a here-document of `bash`. */
export function readText(
  text: string,
  state: ShellState,
  frame: Frame,
  { at, input, via, isPosix = frame.isPosix }: NestedText,
): void {
  if (frame.depth >= DEPTH_MAX) {
    frame.gap('size', at)
    return
  }
  const script = parseShell(text)
  if (!script) {
    frame.gap('syntax', at)
    return
  }
  if (isPosix && !isForEveryShell(script)) frame.gap('language', at)
  noteFunctions(script, text, frame)
  const inside = frame.with({
    input,
    isDeeper: true,
    locate: () => at,
    isPosix,
    ...(via ? { via } : {}),
  })
  inside.readNode(script, state)
}

/** Notes what the functions of a text may change, for the places that call them. */
export function noteFunctions(script: SyntaxNode, text: string, frame: Frame): void {
  if (!/\((\s|\\\n)*\)|\bfunction\b/.test(text)) return
  walkTree(script, (node) => {
    if (node.type === 'Function') {
      frame.run.functionChanges = changesOf(node.body, frame.run.functionChanges)
    }
  })
}

const ONLY_BASH = new Set(
  'BraceExpansion AnsiCQuoted LocaleString ProcessSubstitution TestCommand ArithmeticCommand ArithmeticFor HereString Select Coproc ArrayValue'.split(
    ' ',
  ),
)
const ONLY_BASH_OPERATIONS = new Set(['Replace', 'Slice', 'CaseModification', 'Transform', 'Names'])

/** Returns true if a text means the same in every POSIX shell. */
function isForEveryShell(script: SyntaxNode): boolean {
  let isPlain = true
  walkTree(script, (node) => {
    if (ONLY_BASH.has(node.type)) isPlain = false
    else if (node.type === 'Redirect' && node.operator.startsWith('&>')) isPlain = false
    else if (node.type === 'Pipeline' && node.operators.includes('|&')) isPlain = false
    else if (node.type === 'Assignment' && (node.append || node.index)) isPlain = false
    else if (node.type === 'ParameterExpansion') {
      const { operation, prefix, index } = node
      if (prefix === '!' || index || ONLY_BASH_OPERATIONS.has(operation?.type ?? ''))
        isPlain = false
    }
  })
  return isPlain
}
