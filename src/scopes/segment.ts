import { foldOne, type Spelling, spell } from './spelling.ts'

/** Counts the comparisons that matching takes: what the tests bound, since time says little. */
export type Meter = { steps: number }

type Token =
  | { is: 'many' }
  | { is: 'any' }
  | { is: 'char'; char: string }
  | { is: 'set'; not: boolean; ranges: [from: number, to: number][]; folded: boolean }

/**
 * One segment of a glob: `*` is any run of characters, `?` any one, `[a-z]` and `[!a]` one of a
 * set or none of it; all else means itself. A name that is spelled like the pattern matches first:
 * `[id]` is a folder too. Names come in the same spelling. The work is at most pattern times name.
 */
export function compileSegment(
  text: string,
  spelling: Spelling,
  meter: Meter,
): (name: string) => boolean {
  const literal = spell(text, spelling)
  const tokens = readTokens(Array.from(text.normalize('NFC')), spelling)
  const plain = tokens.every(({ is }) => is === 'char')
  return (name) => {
    meter.steps++
    return name === literal || (!plain && runs(tokens, Array.from(name), meter))
  }
}

function readTokens(chars: string[], spelling: Spelling): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    const end = char === '[' ? closingOf(chars, at) : -1
    if (char === '*') {
      if (tokens.at(-1)?.is !== 'many') tokens.push({ is: 'many' })
    } else if (char === '?') tokens.push({ is: 'any' })
    else if (end > 0) {
      tokens.push(readSet(chars.slice(at + 1, end), spelling !== 'exact'))
      at = end
    } else for (const each of spell(char, spelling)) tokens.push({ is: 'char', char: each })
  }
  return tokens
}

/** Where the set that opens at `at` ends; a `]` right at its beginning belongs to it. */
function closingOf(chars: string[], at: number): number {
  const first = isNot(chars[at + 1]) ? at + 2 : at + 1
  return chars.indexOf(']', first + 1)
}

function isNot(char: string | undefined): boolean {
  return char === '!' || char === '^'
}

function readSet(chars: string[], folded: boolean): Token {
  const not = isNot(chars[0])
  const points = (not ? chars.slice(1) : chars).map((char) => char.codePointAt(0) as number)
  const ranges: [number, number][] = []
  for (let at = 0; at < points.length; at++) {
    const from = points[at] as number
    const to = points[at + 1] === HYPHEN ? points[at + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) at += 2
  }
  return { is: 'set', not, ranges, folded }
}

const HYPHEN = 0x2d

// Back to the last `*` alone on a mismatch: an earlier one could only take what it also can.
function runs(tokens: Token[], chars: string[], meter: Meter): boolean {
  let token = 0
  let char = 0
  let many = -1
  let mark = 0
  while (char < chars.length) {
    meter.steps++
    const now = tokens[token]
    if (now?.is === 'many') {
      many = token++
      mark = char
    } else if (now && fits(now, chars[char] as string)) {
      token++
      char++
    } else if (many < 0) return false
    else {
      token = many + 1
      char = ++mark
    }
  }
  while (tokens[token]?.is === 'many') token++
  return token === tokens.length
}

function fits(token: Token, char: string): boolean {
  if (token.is === 'char') return token.char === char
  if (token.is !== 'set') return true
  const cases = token.folded ? [char, char.toUpperCase(), foldOne(char)] : [char]
  return cases.some((each) => isIn(token.ranges, each)) !== token.not
}

function isIn(ranges: [number, number][], char: string): boolean {
  const point = char.codePointAt(0) as number
  return ranges.some(([from, to]) => from <= point && point <= to)
}
