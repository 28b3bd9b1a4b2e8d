import type { CommandNode, SyntaxNode } from './parse.ts'
import { walkTree } from './parse.ts'
import type { Changes } from './state.ts'

// They run text as commands, or assign to a name that only they know.
const RUN_TEXT = new Set(['eval', 'source', '.', 'trap', 'set', 'shift', 'unset', 'printf'])
const DECLARE = new Set('declare typeset local export readonly integer float'.split(' '))
const FILL = new Set('read mapfile readarray getopts vared'.split(' '))

/**
 * Returns the variables that the commands of a node may change. `inner` functions count where they
 * are called.
 */
export function changesOf(node: SyntaxNode, inner?: Changes): Changes {
  const changes: Changes = {
    names: new Map(inner?.names),
    functions: new Set(inner?.functions),
    everything: inner?.everything ?? false,
  }
  walkTree(node, (child) => {
    if (child.type === 'Assignment') {
      const { value, append } = child
      const isNumber =
        !append && value.type === 'Word' && /^(\$\(\(.*\)\)|\d+)$/s.test(value.text) && !child.index
      add(changes, child.name, isNumber ? 'number' : 'part')
    } else if (child.type === 'For' || child.type === 'Select') {
      add(changes, child.name.value, 'part')
    } else if (child.type === 'Function') changes.functions.add(child.name.value)
    else if (child.type === 'ArithmeticWord') addNames(changes, child.value, 'number')
    else if (child.type === 'ParameterExpansion') {
      const { operation, parameter } = child
      if (operation?.type === 'Default' && operation.operator.includes('=')) {
        add(changes, parameter, 'part')
      }
    } else if (child.type === 'Coproc') changes.everything = true
    else if (child.type === 'Command') readCommand(child, changes)
  })
  return changes
}

function readCommand(command: CommandNode, changes: Changes): void {
  const words = [command.name, ...command.suffix].flatMap((word) =>
    word?.type === 'Word' ? [word] : [],
  )
  const [name] = words
  if (!name) return
  const isWrapped = name.value === 'builtin' || name.value === 'command'
  const starts = isWrapped ? words : [name]
  for (const word of starts) {
    if (word.parts?.some(({ type }) => !/Quoted|Literal/.test(type))) changes.everything = true
    if (RUN_TEXT.has(word.value)) {
      // Only `printf -v` assigns.
      if (word.value !== 'printf' || words.some(({ value }) => value.startsWith('-v'))) {
        changes.everything = true
      }
    }
    if (DECLARE.has(word.value) || FILL.has(word.value)) {
      for (const { value } of words) addNames(changes, value, 'part')
    }
    if (word.value === 'let') changes.everything = true
  }
}

function addNames(changes: Changes, text: string, kind: 'number' | 'part'): void {
  for (const name of text.match(/[A-Za-z_]\w*/g) ?? []) add(changes, name, kind)
}

function add({ names }: Changes, name: string, kind: 'number' | 'part'): void {
  names.set(name, names.get(name) === 'part' ? 'part' : kind)
}
