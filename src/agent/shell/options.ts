import { type Arg, literalArg } from './notes.ts'

export type Options = {
  operands: Arg[]
  /** The options that were given, without values: `-i`, `--in-place`. */
  flags: Set<string>
  /** The values of options that take one. */
  values: { option: string; value: Arg }[]
}

/**
 * Reads the words after a command as GNU and BSD programs do: `-abc`, `-ofile`, `-o file`,
 * `--name=value`, `--name value`, abbreviated long names, `--`. `taking` lists the options with a
 * value, including long ones after a single dash, such as `-in`. An option with `?` takes a value
 * only in the same word.
 */
export function readOptions(args: readonly Arg[], taking: readonly string[]): Options {
  const read: Options = { operands: [], flags: new Set(), values: [] }
  let only = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg
    if (only || !/^-./.test(arg.text)) {
      read.operands.push(arg)
      continue
    }
    if (arg.text === '--') {
      only = true
      continue
    }
    const { option, value, waits } = optionOf(arg, taking, read.flags)
    const given = value ?? (waits ? args[++at] : undefined)
    if (given !== undefined && option !== undefined) read.values.push({ option, value: given })
  }
  return read
}

/** The values of the options, in any of the spellings. */
export function valuesOf(options: Options, names: string | undefined): Arg[] {
  const known = words(names)
  return options.values.filter(({ option }) => known.includes(option)).map(({ value }) => value)
}

export function hasFlag(options: Options, names: string | undefined): boolean {
  const known = words(names)
  return (
    known.some((name) => options.flags.has(name)) ||
    options.values.some(({ option }) => known.includes(option))
  )
}

export function words(names: string | undefined): string[] {
  return names === undefined || names === '' ? [] : names.split(' ')
}

function optionOf(arg: Arg, taking: readonly string[], flags: Set<string>) {
  const { text } = arg
  if (text.startsWith('--')) {
    const [name = '', ...rest] = text.split('=')
    const option = taking.find((one) => one === name) ?? taking.find((one) => isCut(name, one))
    flags.add(option ?? name)
    if (rest.length > 0) return { option: option ?? name, value: within(arg, rest.join('=')) }
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
      return value === '' ? {} : { option, value: within(arg, value) }
    if (!taking.includes(option)) continue
    return value === '' ? { option, waits: true } : { option, value: within(arg, value) }
  }
  return {}
}

function isCut(name: string, whole: string): boolean {
  return name.length > 4 && whole.startsWith(name)
}

/** A value that is part of a word is known if the word is. */
function within(arg: Arg, text: string): Arg {
  return arg.why === undefined ? literalArg(text) : { ...arg, text }
}
