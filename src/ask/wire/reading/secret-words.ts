import { PUT_IN } from '../../../platform/redact/bar.ts'
import { isPlaceholder } from '../../../platform/redact/secret-value.ts'
import { programName } from './commands.ts'
import type { WordNode, WordPart } from './parse.ts'
import type { Span } from './reading.ts'
import { type Kind, type Option, type Row, readRow } from './row.ts'
import { rowOf } from './rows/index.ts'
import { SECRET_ROWS } from './rows/secrets.ts'
import { SPECIAL } from './special.ts'

type SecretRow = { words: string[]; row: Row; hasClusters: boolean }

const ROWS = new Map<string, SecretRow[]>()
for (const line of SECRET_ROWS.trim().split('\n')) {
  const [names = '', options = '', operands = ''] = line.split('|')
  const row = readRow(`- | says | ${options} | ${operands}`)
  // With `-passin` and the like, `-keyform` is no `-k`.
  const hasClusters = ![...row.options].some(
    ([name, { takes }]) => /^-[^-]./.test(name) && takes !== 'attached',
  )
  for (const name of names.split(',')) {
    const [program = '', ...words] = name.trim().split(' ')
    ROWS.set(program, [...(ROWS.get(program) ?? []), { words, row, hasClusters }])
  }
}

const NAMES = new RegExp(`\\b(?:${[...ROWS.keys()].join('|')})\\b`)

/** Returns true if a text names a program that takes secrets by their position. */
export function namesSecretProgram(text: string): boolean {
  return NAMES.test(text.replace(/["'\\]/g, ''))
}

/** The parts of the words of a command that are secret by their place, as spans of `text`. */
export function secretWordsOf(words: readonly WordNode[], text: string): Span[] {
  const spans: Span[] = []
  for (const at of programsIn(words)) {
    const rest = words.slice(at + 1)
    for (const one of ROWS.get(nameOf(words[at])) ?? []) {
      const from = endOf(one.words, rest)
      if (from !== undefined) spans.push(...secretsOf(rest.slice(from), one, text))
    }
  }
  return spans
}

// More are not looked at, which keeps the work linear.
const PROGRAMS_MAX = 4

/** Where in the words a program may be named: the first, and any that another may start. */
function programsIn(words: readonly WordNode[]): number[] {
  const first = nameOf(words[0])
  const mayStart = Object.hasOwn(SPECIAL, first) || !rowOf(first) || ROWS.has(first)
  const all = words.flatMap((word, at) =>
    at === 0 || (mayStart && ROWS.has(nameOf(word))) ? [at] : [],
  )
  return all.slice(0, PROGRAMS_MAX)
}

export function nameOf(word: WordNode | undefined): string {
  if (!word) return ''
  return programName({ text: word.value, sure: 'text', at: [0, 0] }) ?? ''
}

/** Behind the words of a subcommand, if they stand among these in their order. */
export function endOf(names: readonly string[], words: readonly WordNode[]): number | undefined {
  let at = 0
  for (const name of names) {
    while (at < words.length && !isNamed(words[at]?.value ?? '', name)) at++
    if (at++ >= words.length) return undefined
  }
  return at
}

/** Returns true if a word is the option `name`; options of one letter may be combined. */
function isNamed(word: string, name: string): boolean {
  return word === name || (/^-\w$/.test(name) && CLUSTER.test(word) && word.includes(name.slice(1)))
}
const CLUSTER = /^-[A-Za-z]+$/

/** As far as the words are understood: what is not in the row is passed over. */
function secretsOf(words: readonly WordNode[], secret: SecretRow, text: string): Span[] {
  const { operands } = secret.row
  const spans: Span[] = []
  let operand = 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as WordNode
    if (!word.value.startsWith('-') || word.value === '-') {
      const kind = operands[Math.min(operand++, operands.length - 1)]
      if (kind === 'command') return spans
      spans.push(...secretIn(word, 0, kind, text))
      continue
    }
    const { option, length } = optionOf(word.value, secret)
    if (!option || option.takes === 'none') continue
    const isAttached = length < word.value.length
    if (isAttached) spans.push(...secretIn(word, length, option.kind, text))
    else if (option.takes === 'value') spans.push(...secretIn(words[++at], 0, option.kind, text))
  }
  return spans
}

type NamedOption = { option?: Option | undefined; length: number }

/** The option that a word begins with, and how long its name is: `-pX`, `-p X`, `-rP X`. */
function optionOf(word: string, { row: { options }, hasClusters }: SecretRow): NamedOption {
  const [name = word] = /^-[^=]*/.exec(word) ?? []
  const whole = options.get(name)
  if (whole) return { option: whole, length: name.length + (name.length < word.length ? 1 : 0) }
  if (word.startsWith('--')) return { length: word.length }
  for (let end = Math.min(word.length, NAME_MAX); end >= 2; end--) {
    const option = options.get(word.slice(0, end))
    if (option?.takes === 'attached') return { option, length: end }
  }
  for (let at = 1; hasClusters && at < word.length; at++) {
    const option = options.get(`-${word[at]}`)
    if (!option) break
    if (option.takes !== 'none') return { option, length: at + 1 }
  }
  return { length: word.length }
}
const NAME_MAX = 20

/** Where the text has the secret of a word: it may be in quotes there. */
export function secretIn(
  word: WordNode | undefined,
  from: number,
  kind: Kind | undefined,
  text: string,
): Span[] {
  if (!word || (kind !== 'secret' && kind !== 'pair')) return []
  const value = word.value.slice(from)
  const masked = maskedValue(word).slice(from)
  const [before = ''] = kind === 'pair' ? (/^[^:=%,]*[:=%,]/.exec(masked) ?? [masked]) : []
  const secret = value.slice(before.length)
  const literal = masked.slice(before.length).replaceAll(PUT_IN, '')
  if (!/[A-Za-z0-9]/.test(literal) || isPlaceholder(literal) || NO_SECRET.test(before)) return []
  const raw = text.slice(word.pos, word.end)
  const at = raw.lastIndexOf(secret)
  if (at >= 0) return [[word.pos + at, word.pos + at + secret.length]]
  const name = word.value.slice(0, from)
  return [[raw.startsWith(name) ? word.pos + from : word.pos, word.end]]
}
// `openssl -passin file:x` names a place, and a user is often a number.
const NO_SECRET = /^(?:env|file|fd|stdin|\d+):$/

/** The value of a word with `PUT_IN` for what a shell puts in. */
function maskedValue({ value, parts }: WordNode): string {
  const masked = parts ? maskedParts(parts) : value
  return masked.length === value.length ? masked : value
}

function maskedParts(parts: readonly WordPart[]): string {
  return parts
    .map((part) => {
      if (part.type === 'DoubleQuoted' || part.type === 'LocaleString')
        return maskedParts(part.parts)
      return PUTS_IN.test(part.type) || !('value' in part)
        ? PUT_IN.repeat(part.text.length)
        : part.value
    })
    .join('')
}
const PUTS_IN = /Expansion$|^ProcessSubstitution$/
