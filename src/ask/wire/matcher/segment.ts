import {
  advance,
  type Bits,
  begin,
  bits,
  emptyRow,
  hasBit,
  type Meter,
  type Row,
  setBit,
} from './places.ts'
import { foldOne, type Spelling, spell } from './spelling.ts'

type CharSet = { not: boolean; ranges: [from: number, to: number][]; folded: boolean }
type Sign = 'any' | { point: number } | CharSet

/**
 * One segment of a glob: `*` is any run of characters, `?` any one, `[a-z]` and `[!a]` one of a set
 * or none of it; everything else is literal. A name that is spelled like the pattern matches first:
 * `[id]` is a folder too. Names come in the same spelling. The work is a step for each character
 * and 32 signs, and one for each character and range of a set.
 */
export function compileSegment(
  text: string,
  spelling: Spelling,
  meter: Meter,
): (name: string) => boolean {
  const literal = spell(text, spelling)
  if (!/[*?[]/.test(text)) return (name) => name === literal
  let row: Row<number> | undefined
  return (name) => {
    if (name === literal) return true
    row ??= readRow(Array.from(text.normalize('NFC')), spelling, meter)
    return name.length >= row.size && matches(row, name)
  }
}

function matches(row: Row<number>, name: string): boolean {
  begin(row)
  for (let at = 0; at < name.length; at++) {
    const point = name.codePointAt(at) as number
    if (point > 0xffff) at++
    if (!advance(row, point)) return false
  }
  return hasBit(row.places, row.size)
}

function readRow(chars: string[], spelling: Spelling, meter: Meter): Row<number> {
  const signs: Sign[] = []
  const manyAt: number[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    const end = char === '[' ? closingOf(chars, at) : -1
    if (char === '*') manyAt.push(signs.length)
    else if (char === '?') signs.push('any')
    else if (end > 0) {
      signs.push(readSet(chars.slice(at + 1, end), spelling !== 'exact'))
      at = end
    } else signs.push(...Array.from(spell(char, spelling), (each) => ({ point: pointOf(each) })))
  }
  const row = emptyRow(signs.length, fitting(signs, meter), meter)
  for (const at of manyAt) setBit(row.loops, at)
  return row
}

/** Where the set that opens at `at` ends; a `]` right at its beginning belongs to it. */
function closingOf(chars: string[], at: number): number {
  const first = isNot(chars[at + 1]) ? at + 2 : at + 1
  return chars.indexOf(']', first + 1)
}

function isNot(char: string | undefined): boolean {
  return char === '!' || char === '^'
}

function readSet(chars: string[], folded: boolean): CharSet {
  const not = isNot(chars[0])
  const points = (not ? chars.slice(1) : chars).map(pointOf)
  const ranges: [number, number][] = []
  for (let at = 0; at < points.length; at++) {
    const from = points[at] as number
    const to = points[at + 1] === HYPHEN ? points[at + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) at += 2
  }
  return { not, ranges, folded }
}

const HYPHEN = 0x2d

/** Returns the signs that a character fits. */
function fitting(signs: Sign[], meter: Meter): (point: number) => Bits {
  const common = bits(signs.length)
  const sets: [at: number, set: CharSet][] = []
  for (const [at, sign] of signs.entries()) {
    if (sign === 'any') setBit(common, at)
    else if ('ranges' in sign) sets.push([at, sign])
  }
  const literals = new Map<number, Bits>()
  for (const [at, sign] of signs.entries()) {
    if (sign === 'any' || 'ranges' in sign) continue
    const fits = literals.get(sign.point) ?? common.slice()
    literals.set(sign.point, fits)
    setBit(fits, at)
  }
  if (sets.length === 0) return (point) => literals.get(point) ?? common
  const cache: Bits[] = []
  return (point) => {
    const cached = cache[point]
    if (cached) return cached
    const fits = (literals.get(point) ?? common).slice()
    const [upper, folded] = casesOf(point)
    for (const [at, set] of sets) {
      meter.steps += set.ranges.length
      const cases = set.folded && (isIn(set, upper) || isIn(set, folded))
      if ((cases || isIn(set, point)) !== set.not) setBit(fits, at)
    }
    if (point <= KNOWN_MAX) cache[point] = fits
    return fits
  }
}

// Results are cached for these characters, of which nearly all names consist.
const KNOWN_MAX = 0x7f

function casesOf(point: number): [upper: number, folded: number] {
  const char = String.fromCodePoint(point)
  return [pointOf(char.toUpperCase()), pointOf(foldOne(char))]
}

function isIn({ ranges }: CharSet, point: number): boolean {
  for (const [from, to] of ranges) if (from <= point && point <= to) return true
  return false
}

function pointOf(char: string): number {
  return char.codePointAt(0) as number
}
