import type { ReadingSummary } from './reading/summary.ts'

/** The words of a line for a shell, as far as they are known. */
export type CommandWords = {
  /** Each command that was read, with its program first. */
  commands: readonly (readonly string[])[]
  /** The words of the text itself, if it was not read to its end. */
  text: readonly string[]
  /** False also where that is not known. */
  isOneCommand: boolean
}

/** Characters that insert one text into another or begin a second command. */
export const JOINED = /[;&|<>\n\r`]|\$[({]/

// What a shell puts between two words, or around one.
const BETWEEN = /[\s;&|()<>`{}$=]+/
const QUOTES = /["'\\]/g

/** The words of what a shell is given, in one or several forms; `isCut`: their ends are missing. */
export function commandWords(
  texts: readonly string[],
  { commands, open }: Pick<ReadingSummary, 'commands' | 'open'>,
  isCut: boolean,
): CommandWords {
  const isRead = open.length === 0
  return {
    commands: commands.map(({ program, words }) => [program, ...words.map((word) => word.text)]),
    text: isRead ? [] : wordsOf(texts.join('\n')),
    isOneCommand: !isCut && !texts.some((text) => JOINED.test(text.trim())),
  }
}

/** The words of a text without what a shell puts between and around them. */
export function wordsOf(text: string): string[] {
  return text.replace(QUOTES, '').split(BETWEEN)
}

/**
 * Returns true if a command of the line begins as a rule says (`terraform apply*`), wherever it
 * stands, with or without a path before its program and options before its words. Where the line was
 * not read to its end, the words of its text are enough, because a rule that restricts must not miss
 * one.
 */
export function startsCommand(pattern: string, words: CommandWords): boolean {
  const { commands, text } = words
  // Most rules name another program, and there may be hundreds of them.
  const space = pattern.indexOf(' ')
  if (space > 0 && !namesIn(words).has(pattern.slice(0, space))) return false
  const begin = beginOf(pattern)
  if (commands.some((words) => begins(words, 0, begin))) return true
  const loose = { ...begin, isWhole: false }
  return text.some((_, at) => begins(text, at, loose))
}

const names = new WeakMap<CommandWords, ReadonlySet<string>>()

/** Every word at which a command of the line may begin. */
function namesIn(words: CommandWords): ReadonlySet<string> {
  return names.getOrInsertComputed(words, ({ commands, text }) => {
    const firsts = [...commands.flatMap(([program]) => program ?? []), ...text]
    return new Set(firsts.flatMap((word) => [word, nameOf(word)]))
  })
}

type Begin = { words: string[]; last: 'begins' | 'equals'; isWhole: boolean }

// Rules are few and calls are many.
const BEGINS_MAX = 2_000
const prepared = new Map<string, Begin>()

function beginOf(pattern: string): Begin {
  if (prepared.size > BEGINS_MAX) prepared.clear()
  return prepared.getOrInsertComputed(pattern, readBegin)
}

function readBegin(pattern: string): Begin {
  const isPrefix = pattern.endsWith('*')
  const text = isPrefix ? pattern.slice(0, -1) : pattern
  return {
    words: text.split(/\s+/).filter((word) => word !== ''),
    last: isPrefix && !/\s$/.test(text) ? 'begins' : 'equals',
    isWhole: !isPrefix,
  }
}

// More options than any real command has.
const PLACES_MAX = 200

function begins(words: readonly string[], start: number, begin: Begin): boolean {
  const { words: wanted, last, isWhole } = begin
  const fitsAt = (word: string, index: number) =>
    fits(word, wanted[index] ?? '', index === wanted.length - 1 && last === 'begins')
  const program = words[start]
  if (program === undefined) return false
  if (wanted.length > 0 && !fitsAt(program, 0) && !fitsAt(nameOf(program), 0)) return false
  // Where the next word may stand: whether an option takes a value is not known.
  let places = [start + 1]
  for (let index = 1; index < wanted.length; index++) {
    const next: number[] = []
    for (const at of places) {
      const word = words[at]
      if (word === undefined) continue
      if (fitsAt(word, index)) next.push(at + 1)
      if (!word.startsWith('-')) continue
      for (const after of [at + 1, at + 2]) if (!places.includes(after)) places.push(after)
      // A line like that is made to be hard to read.
      if (places.length > PLACES_MAX) return true
    }
    if (next.length === 0) return false
    places = next
  }
  return !isWhole || places.includes(words.length)
}

function fits(word: string, wanted: string, isPrefix: boolean): boolean {
  return isPrefix ? word.startsWith(wanted) : word === wanted
}

/** `/usr/bin/terraform` → `terraform`. */
function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}
