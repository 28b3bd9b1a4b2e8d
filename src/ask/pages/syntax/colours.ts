import type { ParseOptions } from 'sugar-high/core'
import { highlighter } from './highlighter.ts'

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
 * What to colour in a text of a language, in its order; none overlaps another. Nothing is coloured
 * in a text that is too long, or whose parts together are not the text. Never throws; a
 * hostile text takes about 100 ms.
 */
export function coloursIn(text: string, language: ParseOptions): Colour[] {
  if (text.length > TEXT_MAX || DASHES.test(text)) return []
  const { tokenize, kinds } = highlighter()
  const found: Colour[] = []
  let at = 0
  try {
    for (const [kind, part] of tokenize(text, language)) {
      if (!text.startsWith(part, at)) return []
      const is = KINDS.get(kinds[kind])
      if (is !== undefined) found.push({ from: at, to: at + part.length, is })
      at += part.length
    }
  } catch {
    return []
  }
  return at === text.length ? found : []
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
