import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanLine, cleanText, codePoints, cutText, visibleText } from '../../src/kernel/text.ts'

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
      const shown = visibleText(JSON.stringify(text))
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufeff]/u)
      expect(JSON.parse(shown)).toBe(text)
    }),
  )
})
