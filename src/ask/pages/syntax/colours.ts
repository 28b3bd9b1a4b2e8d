import type { ParseOptions } from 'sugar-high/core'
import type { ShownFile, ShownLine } from '../change.ts'

/**
 * A part of a text that is coloured, in UTF-16 units; `is` is its class in the stylesheet: what
 * controls or runs, a string, a number or the like, a remark.
 */
export type Colour = { from: number; to: number; is: 'key' | 'str' | 'num' | 'rem' }

// A body has 4,000 characters, some of two units.
const TEXT_MAX = 8_000
// The highlighter joins dashes one by one: 4,000 of them take it 100 ms.
const DASHES = /-{40}/

const KINDS = new Map<string | undefined, Colour['is']>([
  ['keyword', 'key'],
  ['string', 'str'],
  ['class', 'num'],
  ['comment', 'rem'],
])

/**
 * Returns the ranges to colour in a text of a language, in its order; none overlaps another.
 * Nothing is coloured in a text that is too long, or whose parts together are not the text. Never
 * throws; a hostile text takes about 100 ms.
 */
export function coloursIn(text: string, language: ParseOptions): Colour[] {
  if (text.length > TEXT_MAX || DASHES.test(text)) return []
  const { tokenize, kinds } = highlighter()
  const colours: Colour[] = []
  let at = 0
  try {
    for (const [kind, part] of tokenize(text, language)) {
      if (!text.startsWith(part, at)) return []
      const is = KINDS.get(kinds[kind])
      if (is !== undefined) colours.push({ from: at, to: at + part.length, is })
      at += part.length
    }
  } catch {
    return []
  }
  return at === text.length ? colours : []
}

/** The colours of a text by its lines, each from the beginning of its line. */
export function byLine(text: string, colours: readonly Colour[]): Colour[][] {
  let begin = 0
  let first = 0
  return text.split('\n').map((line) => {
    const end = begin + line.length
    while ((colours[first]?.to ?? end) < begin) first++
    const here: Colour[] = []
    for (let at = first; at < colours.length; at++) {
      const { from, to, is } = colours[at] as Colour
      if (from >= end) break
      const part = { from: Math.max(from, begin) - begin, to: Math.min(to, end) - begin, is }
      if (part.from < part.to) here.push(part)
    }
    begin = end + 1
    return here
  })
}

/** The parts of the highlighter that are used here. */
type Highlighter = {
  /** Reads a text into pairs of a kind's number and a part; the parts together are the text. */
  tokenize: typeof import('sugar-high/core').tokenize
  /** The names of the kinds by their numbers. */
  kinds: { [number: number]: string }
  /** The language of an extension. */
  lang: typeof import('sugar-high/lang').lang
  languages: typeof import('sugar-high/lang').languages
}

let loaded: Highlighter | undefined

/**
 * The highlighter, loaded for the first text that is coloured, so that a server without visitors
 * does not keep it in memory. `require`, since pages are rendered in one go and cannot wait for an
 * `import`.
 */
function highlighter(): Highlighter {
  if (loaded) return loaded
  const { tokenize, SugarHigh } = require('sugar-high/core') as typeof import('sugar-high/core')
  const { lang, languages } = require('sugar-high/lang') as typeof import('sugar-high/lang')
  loaded = { tokenize, kinds: SugarHigh.TokenTypes, lang, languages }
  return loaded
}

// Text rather than code, or read so loosely that the colours would mislead.
const PLAIN = new Set(['html', 'markdown', 'plaintext', 'diff', 'shell'])

const EXTENSIONS: Record<string, string> = {
  mts: 'ts',
  cts: 'ts',
  mjs: 'js',
  cjs: 'js',
  pyi: 'py',
  h: 'c',
  hpp: 'cpp',
  hh: 'cpp',
}

/** The language of a file by its name; undefined for one that is shown without colours. */
export function languageOf(path: string | undefined): ParseOptions | undefined {
  const name = path?.split(/[\\/]/).at(-1)?.toLowerCase() ?? ''
  const extension = name === 'dockerfile' ? name : /[^.]\.(\w{1,12})$/.exec(name)?.[1]
  if (extension === undefined) return undefined
  const { lang, languages } = highlighter()
  const id = lang(EXTENSIONS[extension] ?? extension)
  if (id === undefined || PLAIN.has(id)) return undefined
  return languages.find((language) => language.id === id)?.config
}

/**
 * The colours of a change of one file by its lines; `path` is the file if the change does not say.
 * The old and the new text are read separately, and each hunk alone, because the lines between
 * hunks are not known.
 */
export function changeColours(
  { name, lines }: ShownFile,
  path: string | undefined,
): Map<ShownLine, Colour[]> {
  const coloured = new Map<ShownLine, Colour[]>()
  const language = languageOf(name ?? path)
  if (language === undefined) return coloured
  for (const hunk of hunksOf(lines)) {
    for (const other of ['add', 'del'] as const) {
      const side = hunk.filter(({ kind }) => kind !== other)
      const text = side.map((line) => line.text.slice(1)).join('\n')
      const colours = byLine(text, coloursIn(text, language))
      for (const [at, line] of side.entries()) coloured.set(line, behindSign(colours[at] ?? []))
    }
  }
  return coloured
}

function behindSign(colours: readonly Colour[]): Colour[] {
  return colours.map(({ from, to, is }) => ({ from: from + 1, to: to + 1, is }))
}

function hunksOf(lines: readonly ShownLine[]): ShownLine[][] {
  const hunks: ShownLine[][] = [[]]
  for (const line of lines) {
    if (line.kind === 'meta') hunks.push([])
    else hunks.at(-1)?.push(line)
  }
  return hunks.filter(({ length }) => length > 0)
}
