import { barsAsLetters } from '../../../platform/redact/bar.ts'
import { parseShell, walkOwn } from '../../wire/reading/parse.ts'
import { readCommandText } from '../../wire/reading/read.ts'
import type { Span } from '../../wire/reading/reading.ts'
import type { Colour } from './colours.ts'

/**
 * Returns the ranges to colour in a shell command, by the tree that its reading is made from:
 * programs, options, variables, strings and comments. What the shell or an interpreter runs never
 * looks like a string or a comment. A text that cannot be parsed has no colours.
 */
export function shellColours(text: string): Colour[] {
  const whole = barsAsLetters(text)
  const script = parseShell(whole)
  if (!script) return []
  const parts: Part[] = []
  const words: Span[] = []
  walkOwn(script, (node) => {
    if (WORDS.has(node.type)) words.push([node.pos, node.end])
    if (node.type in COLOURS) add(parts, node, COLOURS[node.type])
    if (node.type === 'Command' && node.name) add(parts, node.name, 'key')
    if (node.type !== 'Command') return
    for (const argument of node.suffix) {
      if (argument.type === 'Word' && /^-/.test(argument.text)) add(parts, argument, 'num')
    }
  })
  parts.push(...commentsOf(whole, words))
  return apart(parts, runIn(whole))
}

// Here a `#` begins no comment.
const WORDS = new Set(['Word', 'HereDocBody', 'HereDocDelimiter', 'ArithmeticCommand'])

/** A part of the text; `is` is undefined where it has no colour, whatever is around it. */
type Part = { from: number; to: number; is: Colour['is'] | undefined }

const COLOURS: { [type: string]: Part['is'] } = {
  SingleQuoted: 'str',
  DoubleQuoted: 'str',
  AnsiCQuoted: 'str',
  LocaleString: 'str',
  SimpleExpansion: 'num',
  ParameterExpansion: 'num',
  ArithmeticExpansion: 'num',
  CommandExpansion: undefined,
  ProcessSubstitution: undefined,
}

function add(parts: Part[], { pos, end }: { pos: number; end: number }, is: Part['is']): void {
  parts.push({ from: pos, to: end, is })
}

/** From a `#` that begins a word, and stands in none, to the end of its line. */
function commentsOf(text: string, words: readonly Span[]): Colour[] {
  const isInWord = (at: number) => words.some(([from, to]) => from <= at && at < to)
  return [...text.matchAll(/(?<![^\s;&|()])#[^\n]*/g)]
    .filter(({ index }) => !isInWord(index))
    .map(({ index, 0: comment }) => ({ from: index, to: index + comment.length, is: 'rem' }))
}

type IsRun = (from: number, to: number) => boolean

/** Returns a function that is true if a part of the text is run, by a shell or as code. */
function runIn(text: string): IsRun {
  const { commands, open } = readCommandText(text)
  const code = open.filter(({ why }) => why === 'code' || why === 'language')
  const begins = [...commands, ...code].map(({ at: [begin] }) => begin)
  // `eval` joins its words to commands, which then stand where it does.
  const joined = [...text.matchAll(/\beval\b/g)].flatMap(({ index }) =>
    commands.filter(({ at, program }) => at[0] <= index && index < at[1] && program !== 'eval'),
  )
  return (from, to) =>
    begins.some((begin) => from <= begin && begin < to) ||
    joined.some(({ at }) => at[0] <= from && to <= at[1])
}

/**
 * The colours in their order; of two that overlap the inner one wins, and the outer one keeps the
 * parts around it. A string in which something that runs begins has none.
 */
function apart(parts: readonly Part[], isRun: IsRun): Colour[] {
  const coloured: Part[] = []
  for (const { from, to, is } of parts.toSorted((a, b) => b.from - a.from || a.to - b.to)) {
    const holes = coloured.filter((one) => one.from < to && from < one.to)
    const parts: Part[] = []
    let at = from
    for (const hole of holes.toSorted((a, b) => a.from - b.from)) {
      if (at < hole.from) parts.push({ from: at, to: hole.from, is })
      at = Math.max(at, hole.to)
    }
    if (at < to) parts.push({ from: at, to, is })
    coloured.push(...parts.filter((part) => is !== 'str' || !isRun(part.from, part.to)))
  }
  const colours = coloured.filter((part): part is Colour => part.is !== undefined)
  return colours.toSorted((a, b) => a.from - b.from)
}

/**
 * As `shellColours`, for a command that was joined into one line. Where its lines and comments
 * ended is not known, so there are no comments. If it was cut, there are no strings either, because
 * it is not known where they begin.
 */
export function shellLineColours(line: string): Colour[] {
  const isCut = line.includes('…')
  return shellColours(line).filter(({ is }) => is !== 'rem' && !(isCut && is === 'str'))
}
