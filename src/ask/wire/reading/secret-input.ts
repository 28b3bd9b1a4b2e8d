import type { CommandNode, SyntaxNode, WordNode } from './parse.ts'
import type { Span } from './reading.ts'
import type { Kind } from './row.ts'
import { INPUT_ROWS } from './rows/secrets.ts'
import { endOf, nameOf, secretIn } from './secret-words.ts'
import { SHELL_NAMES } from './shells.ts'

const ROWS = INPUT_ROWS.trim()
  .split('\n')
  .map((line) => {
    const [names = '', kind] = line.split(' | ')
    const [program = '', ...words] = names.split(' ')
    return { program, words, kind: kind === 'l' ? 'pair' : 'secret' } as const
  })
const SAYS = new Set(['echo', 'printf'])

/** The secrets that programs read from their input, from echo or as `<<< X`. */
export function secretInputsOf(node: SyntaxNode, text: string): Span[] {
  if (node.type === 'Command') return hereStringsOf(node, text)
  if (node.type !== 'Pipeline') return []
  return node.commands.flatMap((to, at) => {
    const from = node.commands[at - 1]
    if (to.type !== 'Command' || from?.type !== 'Command') return []
    const kind = inputOf(wordsOf(to))
    const [first, ...rest] = wordsOf(from)
    if (!kind || !SAYS.has(nameOf(first))) return []
    const operands = rest.filter(({ value }) => !/^-[neE]+$/.test(value))
    const values = nameOf(first) === 'printf' && operands.length > 1 ? operands.slice(1) : operands
    return values.flatMap((word) => secretOf(word, kind, wordsOf(to), text))
  })
}

function hereStringsOf(node: CommandNode, text: string): Span[] {
  const strings = node.suffix.flatMap((one) => (one.type === 'HereString' ? [one.target] : []))
  if (strings.length === 0) return []
  const kind = inputOf(wordsOf(node))
  if (!kind) return []
  return strings.flatMap((word) => (word ? secretOf(word, kind, wordsOf(node), text) : []))
}

/** A word that is input. What sudo leaves of it may be commands of the program that it runs. */
function secretOf(word: WordNode, kind: Kind, to: readonly WordNode[], text: string): Span[] {
  const isSudo = to.some((one) => nameOf(one) === 'sudo')
  if (isSudo && (/[\s;|&]/.test(word.value) || SHELL_NAMES.includes(nameOf(to.at(-1))))) return []
  return secretIn(word, 0, kind, text)
}

/** Returns the kind of secret that a command reads from its input, if any. */
function inputOf(words: readonly WordNode[]): Kind | undefined {
  return ROWS.find(({ program, words: names }) => {
    const at = words.findIndex((word) => nameOf(word) === program)
    if (at < 0) return false
    const rest = words.slice(at + 1)
    return endOf(names, program === 'sudo' ? optionsOf(rest) : rest) !== undefined
  })?.kind
}

const WITH_VALUE = /^-[ACDghpRrTtUu]$/

/** The options before the command that sudo runs. */
function optionsOf(words: readonly WordNode[]): WordNode[] {
  const end = words.findIndex(
    ({ value }, at) => !value.startsWith('-') && !WITH_VALUE.test(words[at - 1]?.value ?? ''),
  )
  return words.slice(0, end < 0 ? words.length : end)
}

function wordsOf({ name, suffix }: CommandNode): WordNode[] {
  return [name, ...suffix].filter((word): word is WordNode => word?.type === 'Word')
}
