import { expect, test } from 'bun:test'
import { deceptiveLetters, lookOf } from '../../../src/ask/wire/letters.ts'
import { scriptOf } from '../../../src/ask/wire/scripts.ts'

function namesIn(text: string): string[] {
  return deceptiveLetters(text, 'prose').map(({ name }) => name)
}

test.each([
  ['p\u0430ypal', ['Cyrillic']],
  ['g\u03bfogle', ['Greek']],
  ['git p\u0585sh', ['Armenian']],
  ['\u13a0eploy', ['Cherokee']],
  ['c\u2c9fmmit', ['Coptic']],
  ['pla\u10e7', ['Georgian']],
  ['\ua4d3eploy', ['Lisu']],
  ['\u15eaeploy', ['Canadian Aboriginal']],
  ['bui\ud801\udc3c', ['Deseret']],
  ['a\u05e1b\u0627', ['Hebrew', 'Arabic']],
  ['\u0e2dtest', ['Thai']],
])('a letter of another script in a Latin word is named: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test.each([
  '日本語test',
  'かなABCカナ',
  '한글test',
  'ㄅtest',
  'Run the тесты?',
  'ե և test',
  'naïve Zürich e\u0301',
  'deploy-ᎣᏏᏲ',
  'ª º µ',
])('a word of one script, or of one that takes Latin letters in, is not marked: %s', (text) => {
  expect(namesIn(text)).toEqual([])
})

test('every letter has the name of a script', () => {
  const own = /\p{Script=Latin}|\p{Script=Common}|\p{Script=Inherited}/u
  const unnamed: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    // The rest of a range of ideographs is like its first.
    if (code > 0x20000 && code < 0x30000) continue
    if ((code > 0x4e00 && code < 0x9f00) || (code > 0xac00 && code < 0xd700)) continue
    const letter = String.fromCodePoint(code)
    if (/[\p{L}\p{M}]/u.test(letter) && !own.test(letter) && !scriptOf(letter)) unnamed.push(letter)
  }
  expect(unnamed).toEqual([])
})

test.each([
  ['\u054d\u054f\u0555', 'USO'],
  ['\u0570\u057d\u0578\u0563\u0584\u0585\u0581', 'hunqfog'],
  ['\u13a0\u13a1\u13a2\u13aa\u13b7\u13df', 'DRTAMC'],
  ['\uab83\uab93\uaba9\uabaa\uabaf', 'wzvsc'],
])('letters look like Latin ones: %s', (text, latin) => {
  expect(lookOf(text)).toBe(latin)
})
