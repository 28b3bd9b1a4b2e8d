import { isHarmlessSentence } from './harmless-sentence.ts'
import { bare, type Danger, type Found, hasOption, programOf } from './pattern.ts'
import {
  type Backslash,
  type CommandWords,
  type DecodedWord,
  readCommands,
} from './read-commands.ts'
import { SECRET_FILE, secretWords } from './secrets.ts'
import { type Source, type Span, sourceOf, spanIn } from './source.ts'
import { rulesOf } from './table.ts'
import { transfers } from './transfers.ts'
import { whyByName } from './verbs.ts'

/** `sentence`: here the name of a program alone may be an ordinary word. */
export type Kind = 'command' | 'sentence'

// Quotes within quotes; deeper ones are not read, and count as dangerous for that reason.
const DEPTH_MAX = 6
// One row looks through at most this many words of a command.
const WORDS_MAX = 1_000
// How often each program is considered in one command; after that, its name no longer counts as a
// program that is run.
const TIMES_MAX = 20

/**
 * Everything in a text that is hard to undo, sends data out, publishes, changes infrastructure, or
 * cannot be seen: why, and where. Each reason once, in the order of the text. Never throws.
 */
export function dangersIn(text: string, kind: Kind = 'command'): Danger[] {
  return kind === 'sentence' && isHarmlessSentence(text) ? [] : readDangers(text, kind)
}

/** As `dangersIn`, without its fast path. */
export function readDangers(text: string, kind: Kind): Danger[] {
  const source = sourceOf(text)
  const found = readAll(source, kind, 'escapes', 0)
  if (text.includes('\\')) found.push(...readAll(source, kind, 'separates', 0))
  return merged(found)
}

function readAll(source: Source, kind: Kind, backslash: Backslash, depth: number): Found[] {
  if (depth > DEPTH_MAX) return [{ why: TOO_DEEP, parts: [] }]
  const commands = readCommands(source, backslash)
  return [
    ...dangersOfText(source),
    ...commands.flatMap((command) => readCommand(command, { kind, backslash, depth })),
  ]
}

const TOO_DEEP = 'This is quoted too deeply to be read.'

type How = { kind: Kind; backslash: Backslash; depth: number }

function readCommand(command: CommandWords, how: How): Found[] {
  const { words } = command
  const starts = startsOf(words)
  const [start = 0] = starts
  const quiet = isQuiet(words.slice(start), command)
  const isCommand = how.kind === 'command' || command.inside
  const seen = new Map<string, number>()
  const found = words.flatMap((word, at) => {
    if (quiet && at !== start) return []
    const program = programOf(word)
    const times = (seen.get(program) ?? 0) + 1
    seen.set(program, times)
    if (times > TIMES_MAX) return []
    const isStart = isCommand && starts.includes(at)
    return readProgram(words.slice(at, at + WORDS_MAX), command, isStart)
  })
  const unnamed = isCommand ? starts.flatMap((at) => words[at] ?? []).filter(isUnnamed) : []
  if (unnamed.length > 0) found.push(danger(UNNAMED, unnamed))
  if (isCommand && !quiet && found.length === 0) {
    found.push(...starts.flatMap((at) => readName(words, at)))
  }
  return [...found, ...readInner(words, quiet, how)]
}

/** Reads what is in quotes; for text that is only printed, only commands substituted into it. */
function readInner(words: readonly DecodedWord[], quiet: boolean, how: How): Found[] {
  const { kind, backslash, depth } = how
  const inner = words.flatMap(innerOf)
  const read = quiet ? inner.filter(({ text }) => /\$\(|`/.test(text)) : inner
  return read.flatMap((one) => readAll(one, kind, backslash, depth + 1))
}

/** In code that no shell reads it means nothing: `$this`, and text in backticks. */
export const UNNAMED = 'This runs a program that is not named here.'

/** The dangers of a program and the words after it, according to the rows. */
function readProgram(
  words: readonly DecodedWord[],
  command: CommandWords,
  isStart: boolean,
): Found[] {
  const [first, ...rest] = words
  if (!first) return []
  const program = programOf(first)
  const found = rulesOf(program).flatMap((rule) => {
    const matched = rule.isBare && !isStart ? undefined : rule.match(rest)
    return matched ? [danger(rule.why, [first, ...matched])] : []
  })
  const special = [transfers(program, rest), runsUnshown(program, rest, command)]
  for (const one of special) if (one) found.push(danger(one.why, [first, ...one.parts]))
  const secrets = isStart ? secretWords(program, rest) : []
  if (secrets.length > 0) found.push(danger(SECRET_FILE, [first, ...secrets]))
  return found
}

/** The danger that only the name of the command shows. */
function readName(words: readonly DecodedWord[], at: number): Found[] {
  const command = words.slice(at, at + WORDS_MAX)
  const [first] = command
  const named = first && whyByName(programOf(first), command)
  return named ? [danger(named.why, [first, ...named.parts])] : []
}

function danger(why: string, words: readonly DecodedWord[]): Found {
  return { why, parts: words.map(({ span }) => span) }
}

/**
 * The quoted parts of a word, piece by piece and as a whole: `"rm "-rf" x"`, `"alias.x=!rm -rf x"`.
 */
function innerOf(word: DecodedWord): Source[] {
  const [first] = word.quoted
  if (!first) return []
  const pieces = word.quoted.flatMap((piece) => {
    const set = /^[\w.-]+=!?/.exec(piece.text)?.[0].length ?? 0
    const value = { text: piece.text.slice(set), at: piece.at.slice(set) }
    return set > 0 ? [piece, value] : [piece]
  })
  if (word.quoted.length === 1 && first.text === word.text) return pieces
  const [from] = word.span
  const at = Array.from({ length: word.text.length }, () => from)
  return [...pieces, { text: word.text, at }]
}

// Programs that only start another program, after their own options, settings and times.
const WRAPPERS = new Set(
  'sudo doas env nohup time nice ionice timeout exec command builtin stdbuf setsid xargs watch caffeinate chronic unbuffer then do else if while until ! { } && || $ % > ...'.split(
    ' ',
  ),
)

/**
 * Where the program of a command may be, after `A=1 sudo -u me timeout 5s`: the word after an
 * option of such a program is its value, or is the program.
 */
function startsOf(words: readonly DecodedWord[]): number[] {
  const starts: number[] = []
  let isWrapped = false
  for (const [at, word] of words.entries()) {
    const isSetting = /^\w+=/.test(word.text)
    const isWrapper = WRAPPERS.has(programOf(word))
    const isExtra = isWrapped && /^(-.*|\d+[smhd]?)$/.test(word.text)
    isWrapped ||= isWrapper
    if (isSetting || isWrapper || isExtra) continue
    starts.push(at)
    if (!isWrapped || !words[at - 1]?.text.startsWith('-')) break
  }
  const remote = starts.flatMap((at) => remoteStart(words, at))
  return [...starts, ...remote]
}

const SSH_VALUES = /^-[a-zA-Z]*[BbcDEeFIiJLlmOopQRSWw]$/

/** Where the program is that `ssh HOST` starts on the other machine. */
function remoteStart(words: readonly DecodedWord[], at: number): number[] {
  const word = words[at]
  if (!word || !/^(ssh|mosh)$/.test(programOf(word))) return []
  const isGiven = (n: number) =>
    !words[n]?.text.startsWith('-') && !SSH_VALUES.test(words[n - 1]?.text ?? '')
  const given = Array.from(words.keys()).filter((n) => n > at && isGiven(n))
  return given.slice(1, 2)
}

const SPEAKERS = new Set(['echo', 'printf', 'print'])
const SEEKERS = new Set(
  'grep egrep fgrep rg ag ack man which whereis type help history apropos whatis tldr'.split(' '),
)
const TELLERS: Record<string, RegExp> = {
  git: /^(commit|log|grep|show|tag|notes|blame|diff)$/,
  gh: /^(pr|issue)$/,
  glab: /^(mr|issue)$/,
}

/** Whether the words of a command are only printed or searched for, not executed. */
function isQuiet([first, ...rest]: readonly DecodedWord[], { isRead }: CommandWords): boolean {
  if (!first) return false
  const program = programOf(first)
  if (SPEAKERS.has(program)) return !isRead
  if (SEEKERS.has(program)) return true
  return rest[0] !== undefined && TELLERS[program]?.test(bare(rest[0])) === true
}

/** Each reason once, in the order of the text. */
function merged(found: readonly Found[]): Danger[] {
  const known = new Map<string, Danger>()
  for (const { why, parts } of found) {
    const mine = known.get(why) ?? { why, parts, all: [] }
    mine.all.push(...parts)
    known.set(why, mine)
  }
  const all = [...known.values()].map(({ why, parts, all }) => {
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
function dangersOfText(source: Source): Found[] {
  const text = source.text.replace(/\/\*[\s\S]{0,200}?\*\//g, (comment) =>
    ' '.repeat(comment.length),
  )
  return ROWS_OF_TEXT.flatMap(([shape, why]) => {
    const parts = [...text.matchAll(shape)].map(
      ({ 0: found, index }): Span => spanIn(source, index, index + found.length),
    )
    return parts.length > 0 ? [{ why, parts }] : []
  })
}

const SHELLS = 'sh bash zsh dash ash ksh fish pwsh powershell'.split(' ')
const INTERPRETERS =
  'python python2 python3 perl ruby node bun deno php lua osascript Rscript'.split(' ')
const RUNNERS = new Set([...SHELLS, ...INTERPRETERS])

/** Why a command runs something that is not in the text, so that nobody can agree to it. */
function runsUnshown(
  program: string,
  words: readonly DecodedWord[],
  command: CommandWords,
): { why: string; parts: DecodedWord[] } | undefined {
  if (SHELLS.includes(program)) return shell(words, command)
  if (RUNNERS.has(program)) return interpreter(words, command)
  const isEval = program === 'eval' || program === 'source' || program === '.'
  const made = isEval ? words.filter(isMade) : []
  return made.length > 0 ? { why: MADE, parts: made } : undefined
}

/** A program whose name is only known when it runs: `$CMD`, `$(…)`. */
function isUnnamed(word: DecodedWord): boolean {
  const name = word.text.slice(word.text.lastIndexOf('/') + 1)
  return /^(\$\(?|`|\$\{)/.test(name) && name !== '$'
}

const PIPED = 'This runs whatever comes out of another command; what that is, is not shown here.'
const MADE = 'This runs text that is made while it runs; it is not shown here.'

function shell(words: readonly DecodedWord[], { isFed }: CommandWords) {
  const made = words.filter(isMade)
  if (made.length > 0) return { why: MADE, parts: made }
  const file = words.find(({ text }) => !/^[-+]/.test(text))
  const reads = isFed && (!file || hasOption(words, '-s')) && !hasOption(words, '-c')
  return reads ? { why: PIPED, parts: [] } : undefined
}

function interpreter(words: readonly DecodedWord[], { isFed }: CommandWords) {
  const given = words.find(({ text }) => text !== '-')
  return isFed && !given ? { why: PIPED, parts: [] } : undefined
}

function isMade({ text }: DecodedWord): boolean {
  return /^(\$\(|<\(|`|\$\w|\$\{)/.test(text)
}
