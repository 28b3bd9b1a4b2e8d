import type { Operand } from './operand.ts'

export type Options = {
  operands: Operand[]
  /** The options that were given, without values: `-i`, `--in-place`. */
  flags: Set<string>
  /** The values of options that take one. */
  values: { option: string; value: Operand }[]
}

/**
 * Reads the words after a command as GNU and BSD programs do: `-abc`, `-ofile`, `-o file`,
 * `--name=value`, `--name value`, abbreviated long names, `--`. `taking` lists the options with a
 * value, including long ones after a single dash, such as `-in`. An option with `?` takes a value
 * only in the same word.
 */
export function readOptions(words: readonly Operand[], taking: readonly string[]): Options {
  const read: Options = { operands: [], flags: new Set(), values: [] }
  let only = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Operand
    if (only || !/^-./.test(certainText(word))) {
      read.operands.push(word)
      continue
    }
    if (word.text === '--') {
      only = true
      continue
    }
    const { option, value, waits } = optionOf(word, taking, read.flags)
    const operand = value ?? (waits ? words[++at] : undefined)
    if (operand !== undefined && option !== undefined) read.values.push({ option, value: operand })
  }
  return read
}

/** The values of the options, in any of the spellings. */
export function valuesOf(options: Options, names: string | undefined): Operand[] {
  const optionNames = list(names)
  return options.values
    .filter(({ option }) => optionNames.includes(option))
    .map(({ value }) => value)
}

/**
 * Returns true if one of the options is given; long ones may be shortened, as programs accept them.
 */
export function hasFlag(options: Options, names: string | undefined): boolean {
  const flags = [...options.flags, ...options.values.map(({ option }) => option)]
  return list(names).some((name) =>
    flags.some((flag) => flag === name || (/^--../.test(flag) && name.startsWith(flag))),
  )
}

/**
 * Returns true if one of the options is given in full: for options that make a command harmless.
 */
export function hasExactly({ flags }: Options, names: string): boolean {
  return list(names).some((name) => flags.has(name))
}

export function list(names: string | undefined): string[] {
  return names === undefined || names === '' ? [] : names.split(' ')
}

function certainText({ text, why, prefix }: Operand): string {
  return why === undefined ? text : (prefix ?? '')
}

function optionOf(word: Operand, taking: readonly string[], flags: Set<string>) {
  const text = certainText(word)
  if (text.startsWith('--')) {
    const [name = '', ...rest] = text.split('=')
    const option = taking.find((one) => one === name) ?? taking.find((one) => isCut(name, one))
    flags.add(option ?? name)
    if (rest.length > 0) return { option: option ?? name, value: within(word, rest.join('=')) }
    return { option, waits: option !== undefined }
  }
  if (taking.includes(text)) {
    flags.add(text)
    return { option: text, waits: true }
  }
  for (let letter = 1; letter < text.length; letter++) {
    const option = `-${text[letter]}`
    flags.add(option)
    const value = text.slice(letter + 1).replace(/^=/, '')
    if (taking.includes(`${option}?`))
      return value === '' ? {} : { option, value: within(word, value) }
    if (!taking.includes(option)) continue
    return value === '' && word.why === undefined
      ? { option, waits: true }
      : { option, value: within(word, value) }
  }
  return {}
}

function isCut(name: string, whole: string): boolean {
  return name.length > 4 && whole.startsWith(name)
}

/** A value that is part of a word is known if the word is. */
function within(word: Operand, text: string): Operand {
  return word.why === undefined ? { text } : { ...word, prefix: text }
}
