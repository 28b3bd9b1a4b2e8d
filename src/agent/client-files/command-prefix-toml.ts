import { stringify } from 'smol-toml'
import { BrokenFile } from './broken-file.ts'
import { type Section, sectionsOf, valueIn, wordsIn } from './toml-sections.ts'

/** As `putPrefix`, of a TOML file. */
export function putPrefixInToml(
  text: string,
  path: readonly string[],
  words: readonly string[],
): string {
  const section = sectionAt(text, path)
  const command = valueIn(text, section, 'command')
  if (!command) throw unusual(path)
  const raw = text.slice(command.from, command.to)
  const args = valueIn(text, section, 'args')
  const [first = '', ...more] = words.map(tomlText)
  const moved = [...more, raw].join(', ')
  if (!args) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    // The blanks show later that there was no list.
    return `${text.slice(0, command.from)}${first}${eol}args = [ ${moved} ]${text.slice(command.to)}`
  }
  const [before] = wordsIn(text, args)
  const at = before?.from ?? args.from + 1
  return applyEdits(text, [
    { ...command, put: first },
    { from: at, to: at, put: before ? `${moved}, ` : moved },
  ])
}

/** As `takePrefix`, of a TOML file. */
export function takePrefixFromToml(text: string, path: readonly string[], count: number): string {
  const section = sectionAt(text, path)
  const [command, args] = [valueIn(text, section, 'command'), valueIn(text, section, 'args')]
  const words = args ? wordsIn(text, args) : []
  const [first, own, next] = [words[0], words[count - 1], words[count]]
  if (!command || !args || !first || !own) throw unusual(path)
  const raw = text.slice(own.from, own.to)
  const isCreated = text.slice(args.from, args.to) === `[ ${text.slice(first.from, own.to)} ]`
  const gone = isCreated ? wholeLine(text, args) : { from: first.from, to: next?.from ?? own.to }
  return applyEdits(text, [
    { ...command, put: raw },
    { ...gone, put: '' },
  ])
}

/** The text with a line before the command of the server, or before `key`: `NAME = VALUE`. */
export function putLineInToml(
  text: string,
  path: readonly string[],
  line: string,
  key = 'command',
): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const at = startOf(text, path, key)
  return `${text.slice(0, at)}${line}${eol}${text.slice(at)}`
}

/** The text without that line, if it stands before the command of the server, or before `key`. */
export function takeLineFromToml(
  text: string,
  path: readonly string[],
  line: string,
  key = 'command',
): string {
  const at = startOf(text, path, key)
  const own = [`${line}\r\n`, `${line}\n`].find((one) => text.slice(0, at).endsWith(one))
  return own === undefined ? text : text.slice(0, at - own.length) + text.slice(at)
}

function startOf(text: string, path: readonly string[], key: string): number {
  const value = valueIn(text, sectionAt(text, path), key)
  if (!value) throw unusual(path)
  return text.lastIndexOf('\n', value.from) + 1
}

export function tomlText(value: string): string {
  return stringify({ x: value }).trimEnd().replace(/^x = /, '')
}

/** The line of a value, with the line end before it. */
export function wholeLine(text: string, { from, to }: { from: number; to: number }) {
  const start = text.lastIndexOf('\n', from)
  return { from: text[start - 1] === '\r' ? start - 1 : start, to }
}

/** The text with each of these spans replaced. */
export function applyEdits(
  text: string,
  edits: ReadonlyArray<{ from: number; to: number; put: string }>,
): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((all, { from, to, put }) => all.slice(0, from) + put + all.slice(to), text)
}

/** The table of a server. Throws `BrokenFile` if it is written in another way. */
export function sectionAt(text: string, path: readonly string[]): Section {
  const section = sectionsOf(text).find((one) => !one.isList && Bun.deepEquals(one.path, path))
  if (!section) throw unusual(path)
  return section
}

function unusual(path: readonly string[]): BrokenFile {
  return new BrokenFile(`the server "${path.at(-1)}" is written in a way that setup cannot change`)
}
