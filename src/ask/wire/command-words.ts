import { readCommandText } from './reading/read.ts'
import type { Gap, Reading, Word } from './reading/reading.ts'
import type { ReadingSummary } from './reading/summary.ts'

/** A word that is not known: it begins so, and may be no word or several. */
type OpenWord = { begins: string; name?: string; many: boolean }

/** A word of a command, as far as it is known. */
export type LineWord = string | OpenWord

/** The words of a line for a shell, as far as they are known. */
export type CommandWords = {
  /** Each command that was read, with its program first. */
  commands: readonly (readonly LineWord[])[]
  /** The words of the text itself, if it was not read to its end. */
  text: readonly string[]
  /** If it is not known all that runs: what may be a program's name, and what one of its words. */
  parts: { programs: ReadonlySet<string>; all: ReadonlySet<string> } | undefined
  /** It is too large to be read: any of its words may be one of any command. */
  isTooLarge: boolean
  /** False also where that is not known. */
  isOneCommand: boolean
}

/** Characters that insert one text into another or begin a second command. */
export const JOINED = /[;&|<>\n\r`]|\$[({]/

// What a shell, or a list of a script, puts between two words, or around one.
const BETWEEN = /[\s;&|()<>`{}[\],$=]+/
const QUOTES = /["'\\]/g

type Texts = {
  /** What a shell is given, in one or several forms. */
  texts: readonly string[]
  /** Those that are read here: a reading that came along leaves out what it is not sure of. */
  read: readonly string[]
  /** The ends of the texts are missing. */
  isCut: boolean
}

/** The words of what a shell is given. */
export function commandWords(
  { texts, read, isCut }: Texts,
  { commands, open }: Pick<ReadingSummary, 'commands' | 'open'>,
): CommandWords {
  const isOther = open.some(({ why }) => why === 'language')
  const readings = isOther ? [] : read.map(readCommandText)
  const gaps = readings.flatMap((reading) => reading.open)
  const isRead = open.length === 0
  const text = texts.join('\n')
  const written = isRead ? [] : [...wordsOf(text), ...(isOther ? otherWordsOf(text) : [])]
  const whole = commands.map(({ program, words }) => [program, ...words.map((word) => word.text)])
  return {
    commands: [...(isRead ? whole : []), ...readings.flatMap(commandsOf)],
    text: written,
    parts: isRead ? undefined : partsIn(written, [...open, ...gaps]),
    isTooLarge: !isRead && gaps.some(({ why }) => why === 'size'),
    isOneCommand: !isCut && !texts.some((one) => JOINED.test(one.trim())),
  }
}

// Commands with these are known, but for a word: whether it is one of a rule is asked of the command.
const OF_WORDS = new Set<Gap['why']>(['word', 'target'])

/**
 * Of `printf 'terraform %s' apply | sh` it is not known what runs, but the words of it are there: any of
 * them. Of `./t apply` after `ln -s "$(which terraform)" t`, the word that is not known names it.
 */
function partsIn(written: readonly string[], gaps: ReadonlyArray<Pick<Gap, 'why' | 'name'>>) {
  const all = partsOf(written)
  const isUnclear = gaps.some(({ why }) => !OF_WORDS.has(why))
  return { all, programs: isUnclear ? all : partsOf(gaps.map(({ name = '' }) => name)) }
}

/** What may be a word in it, in small letters: `!terraform` and `nixpkgs#terraform` have one. */
export function partsOf(words: readonly string[]): ReadonlySet<string> {
  const text = words.join(' ').toLowerCase()
  const parts = text.split(/[^\w.-]+/)
  // A `+` is of a name (`g++`), or joins two.
  const longer = text.includes('+') ? text.split(/[^\w.+-]+/) : []
  const programs = text.match(/[\w.+-]+(?=\.(exe|cmd|bat)\b)/g) ?? []
  return new Set([...parts, ...longer, ...programs])
}

/** The words of a text without what a shell puts between and around them. */
export function wordsOf(text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, '').replace(ANSI_C, (_, inner: string) => plain(inner))
  return joined.replace(QUOTES, '').split(BETWEEN)
}

const ANSI_C = /\$'((?:[^'\\]|\\.)*)'/gs
const CODE = /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|U([\da-f]{1,8})|([0-7]{1,3}))/gi

/** `$'\x74erraform'` → `terraform`. */
function plain(text: string): string {
  return text.replace(CODE, (whole, ...groups: (string | undefined)[]) => {
    const [x, u, long, octal] = groups
    const code =
      octal === undefined ? Number.parseInt(x ?? u ?? long ?? '', 16) : parseInt(octal, 8)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/**
 * The words of a text that is not for bash. PowerShell escapes by a backtick and cmd by a caret, and
 * both divide folders by a backslash; the arguments of a tool are JSON.
 */
function otherWordsOf(text: string): string[] {
  const shell = text
    .replace(/[`^]\r?\n/g, ' ')
    .replace(/[`^]/g, '')
    .replaceAll('\\', '/')
  return [shell, text.replace(/":\s*"|\\[nrt]/g, ' ')].flatMap(wordsOf)
}

const ANY: OpenWord = { begins: '', many: false }
// After these a name may be another program.
const RENAMES = new Set(['alias', 'hash'])

function commandsOf({ commands, unnamed, open }: Reading): LineWord[][] {
  const isRenamed = open.some(({ why, name }) => why === 'definition' && RENAMES.has(name ?? ''))
  const written = new Set(open.flatMap(writtenProgram))
  const underNames = commands.map(({ program, words }) => [
    isRenamed || written.has(program) ? ANY : program,
    ...words.map(lineWord),
  ])
  return [...underNames, ...unnamed.map((words) => words.map(lineWord))]
}

/** The line made the program itself, perhaps as a copy of another. */
function writtenProgram({ why, name }: Gap): string[] {
  return why === 'written' && name !== undefined ? [name] : []
}

function lineWord({ text, sure, prefix = '', many }: Word): LineWord {
  if (sure === 'text' || sure === 'number') return text
  const name = lastName(text)
  return { begins: prefix, many: many === true, ...(name === undefined ? {} : { name }) }
}

/** `"$HOME/bin/kubectl"` → `kubectl`: of a path, the end may be known. */
function lastName(source: string): string | undefined {
  const text = source.replace(/["']/g, '')
  const end = /\/([\w.@+-]+)$/.exec(text)
  return end?.[1]
}
