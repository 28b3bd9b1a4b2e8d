import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { unsafeIn } from '../../../../src/catalog/authoring/check-file.ts'
import { oneSentence } from '../../../../src/catalog/importers/words/one-sentence.ts'
import { isBlank } from '../../../../src/platform/text.ts'
import { howOften } from '../../../support/share.ts'

const CASES: Array<[text: string, sentence: string | undefined]> = [
  ['Sends mail. And more.', 'Sends mail.'],
  ['Node.js library for the Resend API', 'Node.js library for the Resend API.'],
  [
    'Docs, e.g. those of a vendor, in one place. More.',
    'Docs, e.g. those of a vendor, in one place.',
  ],
  ['Data of the U.S. Census. More.', 'Data of the U.S. Census.'],
  [
    'Pay API (This version is old. Use v2.) for all. More.',
    'Pay API (This version is old. Use v2.) for all.',
  ],
  [
    '# Introduction\n\nMoves *money* with [our API](https://a.example). Fast.',
    'Moves money with our API.',
  ],
  ['# Only a heading', 'Only a heading.'],
  ['Title\n=====\n\nThe text', 'The text.'],
  [
    '![badge](https://a.example/b.svg) [![c](d)](e)\n\nReads `files` and __folders__.',
    'Reads files and folders.',
  ],
  ['<p>Prices &amp; <b>quotes</b></p><p>More</p>', 'Prices & quotes.'],
  ['| a | b |\n|---|---|\n| 1 | 2 |\n\nText under a table', 'Text under a table.'],
  ['```\ncode. Here.\n```\nWords', 'Words.'],
  ['- first point\n- second point', 'first point.'],
  ['snake_case_name stays', 'snake_case_name stays.'],
  ['銀行のAPIです。二つ目。', '銀行のAPIです。'],
  ['v2. The second version', 'v2. The second version.'],
  ['Turns &#8238;around\u202e and\u0000 on', 'Turns around and on.'],
  ['What it does:', 'What it does.'],
  ['', undefined],
  ['***', undefined],
  ['\u200b\u2060', undefined],
  ['<script>alert(1)</script>', undefined],
  ['-----', undefined],
]

for (const [text, sentence] of CASES) {
  test(`of ${JSON.stringify(text)} there is ${JSON.stringify(sentence)}`, () => {
    expect(oneSentence(text)).toBe(sentence as string)
  })
}

test('what is no text has no sentence', () => {
  for (const value of [undefined, null, 7, {}, ['a b'], true]) {
    expect(oneSentence(value)).toBeUndefined()
  }
})

test('a sentence that fills its bound and lacks its end is cut before a whole character', () => {
  expect(oneSentence('\u{10000}'.repeat(10), 20)).toBe(`${'\u{10000}'.repeat(9)}…`)
  expect(oneSentence('Reads mail and files', 20)).toBe('Reads mail and file…')
})

test('whatever the text, a sentence is one safe line within its bound, and never empty', () => {
  const marks = ['*', '_', '`', '[', ']', '(', ')', '<', '>', '#', '.', ' ', '\n', '&#8238;', 'a']
  const marked = fc.array(fc.constantFrom(...marks)).map((it) => it.join(''))
  const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), marked)
  fc.assert(
    fc.property(any, fc.integer({ min: 20, max: 300 }), (text, most) => {
      const sentence = oneSentence(text, most)
      if (sentence === undefined) return
      expect(sentence.length).toBeLessThanOrEqual(most)
      expect(isBlank(sentence)).toBe(false)
      expect(sentence).not.toMatch(/[\n\r\t\u2028\u2029]/)
      expect(sentence).toBe(sentence.trim())
      expect(sentence.isWellFormed()).toBe(true)
      expect(unsafeIn(sentence)).toBeUndefined()
      expect(sentence).toMatch(/[.!?…。！？]["'”’)\]]*$/)
    }),
    { numRuns: howOften(50, 500) },
  )
})

test('of several sentences it is the first, whatever they are made of', () => {
  const small = fc.stringMatching(/^[a-z]{3,9}$/)
  const sentence = fc
    .array(small, { minLength: 2, maxLength: 8 })
    .map((words) => `${words.join(' ').replace(/^./, (it) => it.toUpperCase())}s.`)
    .filter((it) => !/\b(approx|incl|resp|corp|dept)s?\b/.test(it))
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), (sentences) => {
      expect(oneSentence(sentences.join(' '))).toBe(sentences[0] as string)
    }),
  )
})

test('text made to be slow to read is read at once', () => {
  for (const piece of ['[', '<a', '`', '*a', '```\n', '<!--', 'a. ', '![a', '[a](', '<script']) {
    expect(oneSentence(piece.repeat(200_000))?.length ?? 0).toBeLessThanOrEqual(300)
  }
})
