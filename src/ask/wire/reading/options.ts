import type { Frame } from './frame.ts'
import type { Why, Word } from './reading.ts'
import type { Kind, Option, Row } from './row.ts'

type Value = { word: Word; kind: Kind; option?: string }

/** The words of a program as its row has them. */
export type ParsedOptions = {
  values: Value[]
  /** Options by name, those without a value too. */
  options: string[]
  operands: Word[]
  /** The word after the operands, if options end there. */
  gap?: { why: Why; word: Word }
}

/** Returns true if the words do not fit the row, and notes it. */
export function isRefused({ gap }: ParsedOptions, frame: Frame): boolean {
  if (gap) frame.gap(gap.why, gap.word.at, gap.word.text)
  return gap !== undefined
}

/** Reads the words after a program by its row. */
export function readOptions(words: readonly Word[], row: Row): ParsedOptions {
  const parsedOptions: ParsedOptions = { values: [], options: [], operands: [] }
  let onlyOperands = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    if (!onlyOperands && isSure(word) && word.text === '--') {
      onlyOperands = true
      continue
    }
    if (onlyOperands || !mayBeOption(word)) {
      parsedOptions.operands.push(word)
      if (row.endsAtOperand) {
        parsedOptions.operands.push(...words.slice(at + 1))
        return parsedOptions
      }
      continue
    }
    const used = readOption(words, at, row, parsedOptions)
    if (used === undefined)
      return { ...parsedOptions, gap: { why: isSure(word) ? 'option' : 'word', word } }
    at += used
  }
  return parsedOptions
}

/** How many more words an option takes; undefined if it is not understood. */
function readOption(
  words: readonly Word[],
  at: number,
  row: Row,
  parsedOptions: ParsedOptions,
): number | undefined {
  const word = words[at] as Word
  const text = isSure(word) ? word.text : (word.prefix ?? '')
  if (word.many) return undefined
  if (row.takesDigits && isSure(word) && /^-\d+$/.test(text)) return 0
  const equals = text.indexOf('=')
  const name = equals > 0 ? text.slice(0, equals) : text
  const isLong = text.startsWith('--') || row.singleHyphen
  // `-DskipTests`, `-rA`: a row may name more than a letter.
  if (isLong || (name.length > 2 && row.options.has(name))) {
    const option = row.options.get(name) ?? row.options.get(`-${name}`)
    if (!option || (equals < 0 && !isSure(word))) return undefined
    return take(option, name, equals > 0 ? rest(word, equals + 1) : undefined)
  }
  return readCluster(word, text)

  function take(option: Option, name: string, attached: Word | undefined): number | undefined {
    parsedOptions.options.push(name)
    if (attached) {
      if (option.takes === 'none') return undefined
      parsedOptions.values.push({ word: attached, kind: option.kind, option: name })
      return 0
    }
    if (option.takes !== 'value') return 0
    const next = words[at + 1]
    if (!next || next.many) return undefined
    parsedOptions.values.push({ word: next, kind: option.kind, option: name })
    return 1
  }

  /** `-rn`, `-A3`, `-ofile`. */
  function readCluster(word: Word, wordText: string): number | undefined {
    if (wordText.length < 2) return undefined
    for (let letter = 1; letter < wordText.length; letter++) {
      const name = `-${wordText[letter]}`
      const option = row.options.get(name)
      if (!option) return undefined
      const hasMore = letter + 1 < wordText.length || !isSure(word)
      if (option.takes === 'none') {
        parsedOptions.options.push(name)
        if (letter + 1 === wordText.length && !isSure(word)) return undefined
        continue
      }
      return take(option, name, hasMore ? rest(word, letter + 1) : undefined)
    }
    return 0
  }
}

function rest(word: Word, from: number): Word {
  if (isSure(word)) return { ...word, text: word.text.slice(from) }
  return { ...word, text: word.text.slice(from), prefix: (word.prefix ?? '').slice(from) }
}

function isSure({ sure }: Word): boolean {
  return sure === 'text'
}

/** Returns true if a program may take the word for an option. `-` alone is standard input. */
export function mayBeOption(word: Word): boolean {
  if (word.base) return false
  if (word.sure === 'number') return false
  if (isSure(word)) return word.text.startsWith('-') && word.text !== '-'
  if (word.sure === 'names') return word.prefix === '' || word.prefix?.startsWith('-') === true
  return word.many === true || !word.prefix || word.prefix.startsWith('-')
}
