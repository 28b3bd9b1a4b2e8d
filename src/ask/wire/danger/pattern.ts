import type { Span } from '../reading/reading.ts'
import type { TableWord } from './words.ts'

/**
 * A row of the table of what needs a second look: the command (see `CommandPattern`), why, as a
 * sentence for people, and the options with which it does nothing.
 */
export type CommandRow = readonly [command: string, why: string, harmlessWith?: string]

/** Why something needs a second look, and where the text first shows it. */
export type DangerParts = { why: string; parts: Span[] }

/** As found, with every part of the text that shows it. */
export type Danger = DangerParts & { all: Span[] }

/**
 * The pattern of a command, in the notation of the table: the program, then what comes after it.
 * `a|b` is one of several; `x*` begins with x; `...` is anything in between; a word that begins
 * with `-` (or with `/`, on Windows) is an option, in any position. Between words only options and
 * their values are allowed: `kubectl -n prod delete` is `kubectl delete`, `docker run rm` is not
 * `docker rm`.
 */
export type CommandPattern = {
  programs: string[]
  /** The words after the program that match; undefined if the command does not match. */
  match(words: readonly TableWord[]): TableWord[] | undefined
}

export function compileCommandPattern(text: string): CommandPattern {
  const [first = '', ...rest] = text.split(' ')
  const options = rest.filter(isOption).map(readChoices)
  const steps = rest.filter((part) => !isOption(part)).map(readStep)
  return {
    programs: first.split('|'),
    match(words) {
      const walked = walk(words, steps)
      if (!walked) return undefined
      const matches = options.map((choices) => findOption(words, choices))
      if (matches.some((word) => word === undefined)) return undefined
      return [...walked, ...(matches as TableWord[])]
    },
  }
}

/** Returns true if one of the options in `choices` (`-f|--force`) is given before a bare `--`. */
export function hasOption(words: readonly TableWord[], choices: string): boolean {
  return findOption(words, readChoices(choices)) !== undefined
}

// Options that take no value: the word after any other may be one.
const SWITCH =
  /^(-[adfnquvyz]|--(force|force-with-lease|force-if-includes|all|tags|follow-tags|mirror|prune|delete|verbose|quiet|set-upstream|atomic|no-verify|json|yes|provenance|ignore-scripts|staged|progress|porcelain|workspaces|recursive))$/

/**
 * Returns true if an option that makes a command harmless is given for certain: spelled alone,
 * before a bare `--`, and not as a possible value of the option before it.
 */
export function hasSwitch(words: readonly TableWord[], choices: string): boolean {
  const names = readChoices(choices)
  return ownWords(words).some(
    (word, at, own) => names.includes(bare(word)) && !mayTakeNext(own[at - 1]),
  )
}

function ownWords(words: readonly TableWord[]): readonly TableWord[] {
  const end = words.findIndex(({ text }) => text === '--')
  return end < 0 ? words : words.slice(0, end)
}

function mayTakeNext(before: TableWord | undefined): boolean {
  const { text = '' } = before ?? {}
  return text.startsWith('-') && !text.includes('=') && !SWITCH.test(text)
}

/** A word without the punctuation of a sentence. */
export function bare({ text }: TableWord): string {
  return text.replace(/(?<=[\w*])[?!.,:]+$/, '')
}

/** The name of a program, in any folder and spelling. */
export function programOf(word: TableWord): string {
  const name = bare(word).toLowerCase()
  return name.slice(name.lastIndexOf('/') + 1).replace(/^[!@]+|\.(exe|cmd|bat|ps1)$/g, '')
}

type PatternStep = '...' | ((word: string) => boolean)

function isOption(part: string): boolean {
  return /^[-/]/.test(part)
}

function readStep(part: string): PatternStep {
  if (part === '...') return part
  const fits = readChoices(part).map((choice) => {
    const begin = choice.endsWith('*') ? choice.slice(0, -1) : undefined
    return (word: string) => (begin === undefined ? word === choice : word.startsWith(begin))
  })
  return (word) => fits.some((fit) => fit(word))
}

function readChoices(part: string): string[] {
  return part.split('|')
}

function walk(words: readonly TableWord[], steps: readonly PatternStep[]): TableWord[] | undefined {
  const walkedWords: TableWord[] = []
  let at = 0
  let isFar = false
  for (const step of steps) {
    if (step === '...') {
      isFar = true
      continue
    }
    const place = findStep(words, at, { step, isFar })
    const word = words[place]
    if (!word) return undefined
    walkedWords.push(word)
    at = place + 1
    isFar = false
  }
  return walkedWords
}

type Sought = { step: (word: string) => boolean; isFar: boolean }

function findStep(words: readonly TableWord[], from: number, { step, isFar }: Sought): number {
  for (let at = from; at < words.length; at++) {
    const word = words[at] as TableWord
    if (step(bare(word).toLowerCase())) return at
    // In compatibility form an ellipsis becomes three dots, and marks something that is missing.
    const isSkipped = /^([-+/]|[.]{3}$)/.test(word.text) || isValue(words[at - 1])
    if (!isFar && !isSkipped) return -1
  }
  return -1
}

/** Returns true if the word after `before` may be its value. */
function isValue(before: TableWord | undefined): boolean {
  return before !== undefined && /^--?[\w-]+$/.test(before.text)
}

function findOption(
  words: readonly TableWord[],
  choices: readonly string[],
): TableWord | undefined {
  return words.find((word) => choices.some((choice) => isThat(bare(word), choice)))
}

function isThat(word: string, choice: string): boolean {
  if (word === choice) return true
  if (choice.startsWith('--')) return word.startsWith(`${choice}=`)
  if (choice.startsWith('/')) return word.toLowerCase() === choice
  if (choice.length > 2) return word.toLowerCase() === choice
  if (!choice.startsWith('-')) return false
  const letters = /^-([A-Za-z]\w*)$/.exec(word)?.[1]
  return letters?.includes(choice.slice(1)) === true
}

/** `--dry-run`, and nothing that reverses it. */
export function isDryRun(words: readonly TableWord[]): boolean {
  const own = ownWords(words)
  const answers = own.flatMap(({ text }, at) => {
    const [, value] = /^--(?:no-)?dry-?run(?:=(.*))?$/.exec(text) ?? []
    if (!/^--(no-)?dry-?run(=|$)/.test(text)) return []
    const isYesFor = !text.startsWith('--no') && isYes(value ?? own[at + 1]?.text)
    return isYesFor && mayTakeNext(own[at - 1]) ? [] : [isYesFor]
  })
  return answers.length > 0 && answers.every(Boolean)
}

function isYes(value: string | undefined): boolean {
  return value === undefined || !/^(false|none|no|0|off|)$/i.test(value)
}
