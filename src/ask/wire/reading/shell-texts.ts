import type { CommandNode, SyntaxNode, WordNode, WordPart } from './parse.ts'
import { SHELL_NAMES } from './shells.ts'

/** A text that a shell reads in turn: without its quotes, and where each letter stands. */
export type ShellText = { text: string; at: number[] }

const TAKES_TEXT = new Set([...SHELL_NAMES, 'eval', 'trap', 'watch', 'ssh', 'su', 'runuser'])

/**
 * The texts for a shell in a command: `sh -c '…'`, `ssh host '…'`, `echo '…' | sh`, `sh <<< '…'`, a
 * here-document.
 */
export function shellTextsOf(node: SyntaxNode, text: string): ShellText[] {
  if (node.type === 'Pipeline') return pipedTextsOf(node.commands)
  if (node.type !== 'Command') return []
  const words = wordsOf(node)
  const first = words.findIndex(({ value }) => TAKES_TEXT.has(value.replace(/^.*\//, '')))
  if (first < 0) return []
  const texts = node.redirects.flatMap((one): ShellText[] => {
    if (one.type === 'HereString') return one.target ? textOf(one.target) : []
    if (one.type !== 'HereDoc' || !one.body) return []
    return [straight(text.slice(one.body.pos, one.body.end), one.body.pos)]
  })
  return [...texts, ...words.slice(first + 1).flatMap(textOf)]
}

function pipedTextsOf(commands: readonly SyntaxNode[]): ShellText[] {
  return commands.flatMap((to, index) => {
    const from = commands[index - 1]
    if (to.type !== 'Command' || from?.type !== 'Command') return []
    const takes = wordsOf(to).some(({ value }) => TAKES_TEXT.has(value.replace(/^.*\//, '')))
    return takes ? wordsOf(from).slice(1).flatMap(textOf) : []
  })
}

/** A word of several words. */
function textOf(word: WordNode): ShellText[] {
  const { value, parts } = word
  if (!/\s/.test(value)) return []
  const whole = parts ? joined(parts.map(unquoted)) : unescaped(word)
  return whole.text === value && whole.at.length === value.length ? [whole] : []
}

function unquoted(part: WordPart): ShellText {
  switch (part.type) {
    case 'SingleQuoted':
      return straight(part.value, part.pos + 1)
    case 'AnsiCQuoted':
      // Escapes there may stand for any letter.
      return straight(part.text.includes('\\') ? '' : part.value, part.pos + 2)
    case 'DoubleQuoted':
      return joined(part.parts.map(unquoted))
    case 'Literal':
      return unescaped(part)
    default:
      return straight(part.text, part.pos)
  }
}

/** The letters of a value in its source, which has backslashes before some of them. */
export function unescaped({
  text,
  value,
  pos,
}: {
  text: string
  value: string
  pos: number
}): ShellText {
  const at: number[] = []
  for (let from = 0; from < text.length; from++) {
    if (text[from] === '\\') {
      if (text[from + 1] === '\n') from++
      if (text[from] === '\n') continue
      if (text[from + 1] === '\\' || text[from + 1] === value[at.length]) from++
    }
    at.push(pos + from)
  }
  return { text: value, at }
}

export function straight(text: string, pos: number): ShellText {
  return { text, at: Array.from({ length: text.length }, (_, index) => pos + index) }
}

export function joined(texts: readonly ShellText[]): ShellText {
  return { text: texts.map(({ text }) => text).join(''), at: texts.flatMap(({ at }) => at) }
}

export function wordsOf({ name, args }: CommandNode): WordNode[] {
  const words = [...(name ? [name] : []), ...args]
  return words.filter((word): word is WordNode => word.type === 'Word')
}
