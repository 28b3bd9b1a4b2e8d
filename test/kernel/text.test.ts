import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanLine, cleanText, codePoints, cutText } from '../../src/kernel/text.ts'

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
