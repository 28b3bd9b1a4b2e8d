import { parse, TomlError } from 'smol-toml'
import { BrokenFile } from './broken-file.ts'

/** A table of a TOML text: from its header to the end of its last value. */
export type Section = { path: string[]; isList: boolean; from: number; to: number }

/** The data of a TOML text. Throws `BrokenFile` that names the line. */
export function readToml(text: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof TomlError) {
      const [, what = 'it cannot be read'] =
        /^Invalid TOML document: (.*)/.exec(error.message) ?? []
      throw new BrokenFile(`line ${error.line} is not TOML (${what})`)
    }
    if (error instanceof RangeError) throw new BrokenFile('it is nested too deeply')
    throw error
  }
}

/** The tables of a text that `readToml` accepts, in their order. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  let at = 0
  while (at < text.length) {
    const line = lineFrom(text, at)
    const trimmed = line.text.trim()
    if (trimmed.startsWith('[')) {
      const to = at + line.text.trimEnd().length
      sections.push({ ...headerOf(trimmed), from: at, to })
      at = line.next
      continue
    }
    if (trimmed === '' || trimmed.startsWith('#')) {
      at = line.next
      continue
    }
    const to = endOfValue(text, at)
    const current = sections.at(-1)
    if (current) current.to = to
    at = lineFrom(text, to).next
  }
  return sections
}

/** Positions in a text. */
type Span = { from: number; to: number }

/** The value of a key that stands in the section itself, on a line of its own. */
export function valueIn(text: string, { from, to }: Section, key: string): Span | undefined {
  let at = lineFrom(text, from).next
  while (at < to) {
    const line = lineFrom(text, at)
    const trimmed = line.text.trim()
    if (trimmed === '' || trimmed.startsWith('#')) {
      at = line.next
      continue
    }
    const end = endOfValue(text, at)
    const begin = /^\s*(?:(["']?)([\w-]+)\1)\s*=\s*/.exec(line.text)
    if (begin?.[2] === key) {
      const value = withoutComment(text, at + begin[0].length, end)
      return { from: at + begin[0].length, to: value }
    }
    at = lineFrom(text, end).next
  }
  return undefined
}

/** The texts in the list at these positions. */
export function wordsIn(text: string, { from, to }: Span): Span[] {
  const words: Span[] = []
  for (let at = from + 1; at < to; ) {
    const quote = QUOTES.find((one) => text.startsWith(one, at))
    const end = quote ? endOfText(text, at, quote) : at + 1
    if (quote) words.push({ from: at, to: end })
    at = text[at] === '#' ? lineFrom(text, at).next : end
  }
  return words
}

/** Where the value from `from` to `to` ends, without a comment behind it. */
function withoutComment(text: string, from: number, to: number): number {
  let end = from
  for (let at = from; at < to; ) {
    const quote = QUOTES.find((one) => text.startsWith(one, at))
    if (quote) at = endOfText(text, at, quote)
    else if (text[at] === '#') {
      at += lineFrom(text, at).text.length
      continue
    } else at += 1
    if (/\S/.test(text[at - 1] ?? '')) end = at
  }
  return end
}

function lineFrom(text: string, at: number) {
  const eol = text.indexOf('\n', at)
  const end = eol < 0 ? text.length : eol
  return { text: text.slice(at, end), next: eol < 0 ? text.length : eol + 1 }
}

/** The names of a header, read by the parser, which knows every way to quote them. */
function headerOf(header: string): { path: string[]; isList: boolean } {
  const path: string[] = []
  let isList = false
  let at: unknown = parse(header)
  while (at !== null && typeof at === 'object') {
    if (Array.isArray(at)) {
      isList = true
      at = at[0]
      continue
    }
    const [name] = Object.keys(at)
    if (name === undefined) break
    path.push(name)
    at = (at as Record<string, unknown>)[name]
  }
  return { path, isList }
}

const QUOTES = ['"""', "'''", '"', "'"]

/** Where the value of the key at `from` ends: lists and texts may span several lines. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const quote = QUOTES.find((one) => text.startsWith(one, at))
    const char = text[at]
    if (quote) at = endOfText(text, at, quote)
    else if (char === '#') at = at + lineFrom(text, at).text.length
    else if (char === '\n' && depth === 0) break
    else {
      if (char === '[' || char === '{') depth += 1
      if (char === ']' || char === '}') depth -= 1
      at += 1
    }
  }
  return from + text.slice(from, at).trimEnd().length
}

function endOfText(text: string, from: number, quote: string): number {
  let at = from + quote.length
  while (at < text.length && !text.startsWith(quote, at)) {
    at += text[at] === '\\' && quote.startsWith('"') ? 2 : 1
  }
  at += quote.length
  // After the three quotes that end it, up to two more belong to the text.
  while (quote.length === 3 && text[at] === quote[0]) at += 1
  return at
}
