import type { Command, Span, Word } from '../reading/reading.ts'

/** A word of a command as the table compares it, and where it is in the text. */
export type TableWord = { text: string; span: Span }

/** One program and what it is given. `isUnderstood`: all of its words are what its row allows. */
export type TableCommand = { words: TableWord[]; isUnderstood: boolean }

/** The commands of a reading: first with the exact words, then as their program understands them. */
export function tableCommands(command: Command, isUnderstood: boolean): TableCommand[] {
  const { program, words, canonical, at, redirects } = command
  const first = { text: program, span: [at[0], at[0] + program.length] as const }
  const inputs = redirects.flatMap(({ op, word }) => (op === '<' && word ? [word] : []))
  const exact = [first, ...[...words, ...inputs].map(toTableWord)].filter(isWord)
  const isOther = canonical && canonical.join('\0') !== words.map(({ text }) => text).join('\0')
  if (!isOther) return [{ words: exact, isUnderstood }]
  const plain = [first, ...canonical.map((text) => ({ text, span: at }))]
  return [exact, plain].map((list) => ({ words: list, isUnderstood }))
}

/** The words of a text that no shell reads, each of which may be the name of a program. */
export function wordsOfProse(text: string, from = 0): TableWord[] {
  return [...text.matchAll(/[^\s"'`();|&<>[\]{}$]+/g)].map(({ 0: word, index }) => ({
    text: word.normalize('NFKC').replaceAll('\\', '/'),
    span: [from + index, from + index + word.length],
  }))
}

function toTableWord({ text, base, at }: Word): TableWord {
  const path = base === 'home' ? `~${text}` : text
  return { text: path.normalize('NFKC'), span: at }
}

/** A mark for what is left out says nothing. */
function isWord({ text }: TableWord): boolean {
  return text !== '…' && text !== '...'
}
