import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  cleanLine,
  cleanText,
  codePoints,
  cutBytes,
  cutText,
  cutUnits,
  isBlank,
  quotedJson,
  visibleText,
} from '../../src/platform/text.ts'

test('a cut never leaves half a character', () => {
  expect(cutText('ab👍cd', 3)).toBe('ab👍')
  expect(cutText('👍👍👍', 2)).toBe('👍👍')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(50), (text, most) => {
      const cut = cutText(text, most)
      return (
        text.startsWith(cut) &&
        codePoints(cut) <= most &&
        cut.isWellFormed() === text.isWellFormed()
      )
    }),
  )
})

test('NUL, control and bidi characters are gone, tab and newline stay', () => {
  expect(cleanText('a\u0000b\u001b[31mc\u202ed\u2066e\u200ff\tg\r\nh\ri')).toBe(
    'ab[31mcdef\tg\nh\ni',
  )
  expect(cleanText('lone \ud800 half')).toBe('lone \ufffd half')
})

const UNSEEN = [
  ...['', ' ', '\n\t', '\u00a0', '\u2003', '\u3000', '\u1680'],
  ...['\u200b', '\u200d', '\u2060', '\u2064', '\u00ad', '\u180e', '\ufeff', '\ufff9'],
  // Fillers, which are letters by their category.
  ...['\u3164', '\u115f', '\u1160', '\uffa0', '\u17b4', '\u{16fe4}'],
  // Signs without ink: an empty braille cell, the null notehead, a place for an object.
  ...['\u2800', '\u{1d159}', '\ufffc'],
  // Variation selectors, tags, and marks with nothing under them.
  ...['\ufe0f', '\u{e0100}', '\u{e0061}\u{e007f}', '\u0301', '\u034f', '\u20dd', '\u0488'],
]
const SEEN = [
  'a',
  '0',
  '?',
  '…',
  'é',
  '中',
  '\u1112\u1161',
  'क्षि',
  '👍🏽',
  '🏴\u{e0067}',
  '#️⃣',
  '⠁',
  '\ufffd',
]

test('what cannot be seen is blank, alone and together; a single sign that can is not', () => {
  for (const text of UNSEEN) expect([escape(text), isBlank(text)]).toEqual([escape(text), true])
  expect(isBlank(UNSEEN.join(''))).toBe(true)
  for (const text of SEEN) {
    expect([text, isBlank(text)]).toEqual([text, false])
    expect(isBlank(UNSEEN.join('') + text + UNSEEN.join(''))).toBe(false)
  }
  // A long one is judged as quickly as a short one.
  expect(isBlank(`${'\u200b\u0301 '.repeat(100_000)}x`)).toBe(false)
})

test('a line is one line', () => {
  expect(cleanLine('  a\n\nb\tc\u2028d ')).toBe('a b c d')
})

test('every control and bidi character goes, whatever stands around it', () => {
  const unsafe = [...Array(0x20).keys(), 0x7f, ...Array.from({ length: 32 }, (_, i) => 0x80 + i)]
  const bidi = [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067]
  for (const code of [...unsafe, ...bidi, 0x2068, 0x2069, 0xfeff]) {
    if (code === 0x09 || code === 0x0a || code === 0x0d) continue
    expect([code, cleanText(`a${String.fromCodePoint(code)}b`)]).toEqual([code, 'ab'])
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const clean = cleanText(text)
      expect(clean).not.toMatch(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u)
      expect(clean.isWellFormed()).toBe(true)
      expect(cleanText(clean)).toBe(clean)
    }),
  )
})

test('letters of every script, signs and joined emoji stay as they are', () => {
  const text = 'Grüße, שלום, مرحبا, 你好, 👩‍👩‍👧‍👦 — “ok” … 🇨🇭'
  expect(cleanText(text)).toBe(text)
})

test('shown on a terminal, nothing steers it, and JSON means what it meant', () => {
  expect(visibleText('a\u001b[2Jb\tc\nd\r\u202e')).toBe('a\\u001b[2Jb\tc\nd\\u000d\\u202e')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const visible = visibleText(JSON.stringify(text))
      expect(visible).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufeff]/u)
      expect(JSON.parse(visible)).toBe(text)
    }),
  )
})

test('quoted in a sentence, a text ends where it ends, hides nothing, and is given back', () => {
  expect(quotedJson('a"b\n\u202e</x> 1 < 2 \u{e0041}')).toBe(
    '"a\\"b\\n\\u202e\\u003c/x> 1 < 2 \\udb40\\udc41"',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const quoted = quotedJson(text)
      expect(quoted).toMatch(/^"(?:[^"\\]|\\.)*"$/)
      expect(quoted).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u)
      expect(JSON.parse(quoted)).toBe(text)
    }),
  )
})

test('cut to bytes, a text is at most so long and says that it was cut', () => {
  expect(cutBytes('short', 5)).toBe('short')
  expect(cutBytes('Ærøskøbing', 10)).toBe('Ærøsk…')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 30 }), (text, most) => {
      expect(Buffer.byteLength(cutBytes(text, most))).toBeLessThanOrEqual(most)
    }),
  )
})

const GRAPHEMES = [
  ...[
    'a',
    ' ',
    '\r\n',
    'é',
    'e\u0301',
    '👍🏽',
    '👩‍👩‍👧‍👦',
    '🏳️‍🌈',
    '🇩🇪',
    '🇫🇷',
    '1️⃣',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ...['\u1112\u1161\u11ab', '한', 'नि', 'क्षि', 'ก็', 'ă̈̂'],
]
const written = fc
  .array(fc.constantFrom(...GRAPHEMES), { maxLength: 40 })
  .map((all) => all.join(''))
const CUTS: [string, (text: string, most: number) => string, (text: string) => number][] = [
  ['cutText', cutText, codePoints],
  ['cutUnits', cutUnits, (text) => text.length],
  [
    'cutBytes',
    (text, most) => cutBytes(text, most).replace(/…$/, ''),
    (text) => Buffer.byteLength(text),
  ],
]

test.each(CUTS)('%s ends between graphemes', (_, cut, sizeOf) => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  fc.assert(
    fc.property(written, fc.integer({ min: 40, max: 300 }), (text, most) => {
      const short = cut(text, most)
      const ends = new Set([
        0,
        ...[...segmenter.segment(text)].map((it) => it.index + it.segment.length),
      ])
      expect(text.startsWith(short)).toBe(true)
      expect(sizeOf(short)).toBeLessThanOrEqual(most)
      expect([short, ends.has(short.length)]).toEqual([short, true])
    }),
    { numRuns: 500, seed: 40 },
  )
})

test('a long row of flags is cut between flags', () => {
  const flags = '🇩🇪'.repeat(2_000)
  expect(cutText(flags, 2_001)).toBe('🇩🇪'.repeat(1_000))
  expect(cutText(`a${flags}`, 2_002)).toBe(`a${'🇩🇪'.repeat(1_000)}`)
})

test('marks piled on a letter do not empty a text', () => {
  const piled = `a${'\u0301'.repeat(10_000)}`
  expect(codePoints(cutText(piled, 500))).toBe(500)
  expect(codePoints(cutText(`Hello ${piled}`, 500))).toBe(500)
  expect(cutText('👩‍👩‍👧‍👦', 3)).toBe('👩‍👩')
  expect(cutUnits('👍', 1)).toBe('')
})
