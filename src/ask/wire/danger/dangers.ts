import { readCommandText } from '../reading/read.ts'
import type { Command, Gap, Reading, Span, Why } from '../reading/reading.ts'
import { SHELL_NAMES } from '../reading/shells.ts'
import { isHarmlessSentence } from './harmless-sentence.ts'
import { type Danger, type DangerParts, programOf } from './pattern.ts'
import { SECRET_FILE, secretWords } from './secrets.ts'
import { rulesOf } from './table.ts'
import { transfers } from './transfers.ts'
import { whyByName } from './verbs.ts'
import { type TableCommand, type TableWord, tableCommands, wordsOfProse } from './words.ts'

/**
 * `sentence`: here the name of a program alone may be an ordinary word. `change`: of files, which no
 * shell reads.
 */
export type Kind = 'command' | 'sentence' | 'change'

// One row looks through at most this many words of a command.
const WORDS_MAX = 1_000
// How often each program is considered in one command; after that, its name no longer counts as a
// program that is run.
const TIMES_MAX = 20

/**
 * Everything in a text that is hard to undo, sends data out, publishes or changes infrastructure:
 * why, and where. Each reason once, in the order of the text. It explains; whether a text was
 * understood says the reading. Never throws.
 */
export function dangersIn(text: string, kind: Kind = 'command'): Danger[] {
  if (kind === 'command') return dangersOf(readCommandText(text), text)
  if (kind === 'change') return merged([...dangersOfText(text), ...dangersOfProse(text)])
  return isHarmlessSentence(text) && !SPAN.test(text) ? [] : dangersOfSentence(text)
}

const SPAN = /`([^`\n]*\|[^`\n]*)`/

/** Of commands between backticks: a pipe shows that one is meant. */
function dangersOfSpans(text: string): Danger[] {
  return [...text.matchAll(new RegExp(SPAN, 'g'))].flatMap(({ 1: command = '', index }) => {
    const place = ([from, to]: Span): Span => [from + index + 1, to + index + 1]
    return dangersOf(readCommandText(command), command).map(({ why, parts, all }) => ({
      why,
      parts: parts.map(place),
      all: all.map(place),
    }))
  })
}

/** As `dangersIn` for a sentence, without its fast path. */
export function dangersOfSentence(text: string): Danger[] {
  const reading = readCommandText(text)
  const isHarmless = reading.open.length === 0 && dangersOf(reading, text).length === 0
  const spans = dangersOfSpans(text)
  return isHarmless ? spans : merged([...dangersOfText(text), ...dangersOfProse(text), ...spans])
}

/** The dangers of a text that was read already. */
export function dangersOf(reading: Reading, text: string): Danger[] {
  const { commands, open } = reading
  const isUnderstood = ({ at }: Command) =>
    !open.some(
      (gap) =>
        gap.why === 'size' || (ABOUT_WORDS.has(gap.why) && gap.at[0] < at[1] && at[0] < gap.at[1]),
    )
  return merged([
    ...dangersOfText(text),
    ...commands.flatMap((command) =>
      tableCommands(command, isUnderstood(command)).flatMap((one) =>
        dangersOfCommand(one, command, text),
      ),
    ),
    ...onceEach(open).flatMap((gap) => dangersOfGap(gap, commands, text)),
  ])
}

// Texts of so many gaps are looked through, each once.
const PROSE_MAX = 20

function onceEach(open: readonly Gap[]): Gap[] {
  const places = new Map(open.map((gap) => [`${gap.why} ${gap.at}`, gap]))
  return [...places.values()].slice(0, PROSE_MAX)
}

const ABOUT_WORDS: ReadonlySet<Why> = new Set(['program', 'subcommand', 'option', 'word', 'code'])

const PIPED = 'This runs whatever comes out of another command; what that is, is not shown here.'
const MADE = 'This runs text that is made while it runs; it is not shown here.'
const UNNAMED = 'This runs a program that is not named here.'
const INTERPRETERS = 'python python3 node ruby perl php'.split(' ')
const SHELLS = new Set([...SHELL_NAMES, 'fish', ...INTERPRETERS])
const READERS = new Set([...SHELL_NAMES, 'eval', 'source', '.'])

/**
 * Finds the dangers of a part that is not understood: it is no danger by itself, but for what
 * nobody can see in the text.
 */
function dangersOfGap(
  { why, at, name = '' }: Gap,
  commands: readonly Command[],
  text: string,
): DangerParts[] {
  const parts = [at]
  const isOfShell = () => commands.some((one) => SHELLS.has(one.program) && isWithin(at, one.at))
  switch (why) {
    case 'program word':
      return /[$`]/.test(name) ? [{ why: UNNAMED, parts }] : []
    case 'program':
      return READERS.has(name) ? [{ why: MADE, parts }] : []
    case 'input':
      return isOfShell() ? [{ why: PIPED, parts }] : []
    case 'word':
      return isOfShell() ? [{ why: MADE, parts }] : []
    case 'code':
      return [
        ...(READERS.has(name) && /[$`(]/.test(text.slice(...at)) ? [{ why: MADE, parts }] : []),
        ...dangersOfProse(text.slice(...at), at[0]),
      ]
    case 'written':
      // Whether a program that is not known wrote anything is not known either.
      return name.includes(' after ') ? [] : dangersOfProse(text)
    case 'syntax':
    case 'size':
    case 'language':
      return dangersOfProse(text.slice(...at), at[0])
    default:
      return []
  }
}

function isWithin([from, to]: Span, [start, end]: Span): boolean {
  return from >= start && to <= end
}

function dangersOfCommand(
  { words, isUnderstood }: TableCommand,
  command: Command,
  text: string,
): DangerParts[] {
  const isHarmless = command.does === 'says' || isTold(command)
  if (command.does === 'says' || (isHarmless && isUnderstood)) return []
  const own = dangersOfProgram(words.slice(0, WORDS_MAX), true)
  // A program that is not understood may start another that its words name.
  const maySay = isUnderstood && command.does !== 'project'
  const others = maySay || isHarmless ? [] : dangersOfNames(words.slice(1))
  // Another shell may split the words in another way.
  if (!isUnderstood && !isHarmless)
    others.push(...dangersOfProse(text.slice(...command.at), command.at[0]))
  const dangers = [...own, ...others]
  return dangers.length > 0 ? dangers : dangersByName(words)
}

/** git and its hosts are given text to keep or to look for. */
function isTold({ program, words }: Command): boolean {
  const verb = words.find(({ text }) => /^[a-z]/.test(text))?.text ?? ''
  return TOLD.get(program)?.test(verb) === true
}

const TOLD = new Map([
  ['git', /^(commit|log|grep|show|notes|blame|diff)$/],
  ['grep', /./],
  ['rg', /./],
])

function dangersOfProse(text: string, from = 0): DangerParts[] {
  return [...text.matchAll(/[^;\n]+/g)].flatMap(({ 0: line, index }) =>
    dangersOfNames(wordsOfProse(line, from + index)),
  )
}

/** Every word may be the name of a program here. */
function dangersOfNames(words: readonly TableWord[]): DangerParts[] {
  const counts = new Map<string, number>()
  return words.flatMap((word, at) => {
    const program = programOf(word)
    const times = (counts.get(program) ?? 0) + 1
    counts.set(program, times)
    return times > TIMES_MAX ? [] : dangersOfProgram(words.slice(at, at + WORDS_MAX), false)
  })
}

/** The dangers of a program and the words after it, according to the rows. */
function dangersOfProgram(words: readonly TableWord[], isStart: boolean): DangerParts[] {
  const [first, ...rest] = words
  if (!first) return []
  const program = programOf(first)
  const dangers = rulesOf(program).flatMap((rule) => {
    const matched = rule.isBare && !isStart ? undefined : rule.match(rest)
    return matched ? [danger(rule.why, [first, ...matched])] : []
  })
  const transfer = transfers(program, rest)
  if (transfer) dangers.push(danger(transfer.why, [first, ...transfer.parts]))
  const secrets = isStart ? secretWords(program, rest) : []
  if (secrets.length > 0) dangers.push(danger(SECRET_FILE, [first, ...secrets]))
  return dangers
}

/** The danger that only the name of the command shows. */
function dangersByName(words: readonly TableWord[]): DangerParts[] {
  const [first] = words
  const byName = first && whyByName(programOf(first), words)
  return byName ? [danger(byName.why, [first, ...byName.parts])] : []
}

function danger(why: string, words: readonly TableWord[]): DangerParts {
  return { why, parts: words.map(({ span }) => span) }
}

/** Each reason once, in the order of the text. */
function merged(dangers: readonly DangerParts[]): Danger[] {
  const byReason = new Map<string, Danger>()
  for (const { why, parts } of dangers) {
    const mine = byReason.get(why) ?? { why, parts, all: [] }
    mine.all.push(...parts)
    byReason.set(why, mine)
  }
  const all = [...byReason.values()].map(({ why, parts, all }) => {
    return { why, parts: inOrder(parts), all: inOrder(all) }
  })
  return all.sort((one, other) => startOf(one) - startOf(other))
}

function inOrder(parts: readonly Span[]): Span[] {
  const once = new Map(parts.map((part) => [part.join(), part]))
  return [...once.values()].sort(([a], [b]) => a - b)
}

function startOf({ parts }: Danger): number {
  return parts[0]?.[0] ?? 0
}

type TextRow = readonly [shape: RegExp, why: string]

const TABLES = 'This deletes tables or whole databases.'
const ROWS = 'This deletes rows of a database.'
const FILES = 'This deletes files without a way back.'

/** Rows that match words in any command, code or sentence. */
const ROWS_OF_TEXT: readonly TextRow[] = [
  [
    /\b(drop|truncate)\s+(if\s+exists\s+)?(table|database|schema|index|view|user|role|tablespace|materialized|collection|keyspace)\b/gi,
    TABLES,
  ],
  [/\bTRUNCATE\s+["`\w]/g, TABLES],
  [/\balter\s+table\b[^;]{0,200}\bdrop\b/gi, 'This deletes a column or a rule of a table.'],
  [/\bdelete\s+from\s+["`\w.[\]]+(?![^;]*\bwhere\b)/gi, 'This deletes every row of a table.'],
  [/\bdelete\s+from\b/gi, ROWS],
  [/\bupdate\s+["`\w.[\]]+\s+set\b(?![^;]*\bwhere\b)/gi, 'This changes every row of a table.'],
  [/\b(dropDatabase|deleteMany|dropCollection)\s*\(/g, TABLES],
  [
    /\b(shutil\.rmtree|os\.(remove|unlink|rmdir|removedirs)|fs\.(promises\.)?(rm|rmSync|rmdir|rmdirSync|unlink|unlinkSync)|Deno\.remove|File\.delete|rmtree|rmSync|rmdirSync|unlinkSync)\s*\(|\bFileUtils\.rm\w*/g,
    FILES,
  ],
  [/\bdb(\.\w+|\[[^\]]+\])\.(drop|remove|deleteOne|deleteMany)\s*\(/g, ROWS],
  [
    /\b(requests|httpx|axios)\.(post|put|patch|delete)\s*\(/g,
    'This sends data to another machine.',
  ],
  [
    /(?<![\w:])([\w:]+)\s*\(\s*\)\s*\{[^}]{0,80}\1\s*\|\s*\1\s*&/g,
    'This starts copies of itself until the machine stands still.',
  ],
  [/>\s*\/dev\/(sd|nvme|disk|hd|vd|mmcblk|mem|rdisk)\w*/g, 'This overwrites a disk.'],
  [/\/dev\/(tcp|udp)\/[\w.]+/g, 'This opens a connection that data may leave through.'],
  [/\bformat\s+[a-z]:/gi, 'This overwrites a disk.'],
  [
    /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl)\b[^\n|;]{0,400}\|\s*(iex|invoke-expression)\b/gi,
    'This runs what is downloaded, unread.',
  ],
  [/\b(iex|invoke-expression)\b/gi, 'This runs text that is not shown as a command.'],
  [
    /\b(format|erase|wipe|destroy|delete|drop|purge)\s+(the\s+|our\s+|all\s+|every\s+)?(\w+\s+)?(disk|drive|database|volume|bucket|cluster|namespace|backups?)\b/gi,
    'This deletes what may not be kept anywhere else.',
  ],
  [
    /\bforce[- ]push(es|ed)?\b/gi,
    'This overwrites history on the server: commits there may be lost.',
  ],
]

/** The dangers in the words of any text. */
function dangersOfText(original: string): DangerParts[] {
  const text = original.replace(/\/\*[\s\S]{0,200}?\*\//g, (comment) => ' '.repeat(comment.length))
  return ROWS_OF_TEXT.flatMap(([shape, why]) => {
    const parts = [...text.matchAll(shape)].map(
      ({ 0: matchText, index }): Span => [index, index + matchText.length],
    )
    return parts.length > 0 ? [{ why, parts }] : []
  })
}
