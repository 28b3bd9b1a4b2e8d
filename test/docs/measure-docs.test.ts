import { expect, test } from 'bun:test'
import { longSentences, SENTENCE_WORDS_MAX, wordsIn } from './measure-docs.ts'

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')

test('a sentence is too long from one word more, over lines, in lists and in cells', () => {
  const most = words(SENTENCE_WORDS_MAX)
  expect(longSentences(`${most}. ${most}.\n\n- ${most}\n- ${most}\n`)).toEqual([])
  const [first, second = ''] = [words(20), words(6)]
  expect(longSentences(`Short.\n\n${first}\n${second}.`)).toMatchObject([{ line: 3, words: 26 }])
  expect(longSentences(`- a\n- ${first}\n  ${second}`)).toMatchObject([{ line: 2 }])
  expect(longSentences(`| a | ${first} ${second} |`)).toMatchObject([{ line: 1, words: 26 }])
})

test('code is one word, a link is its text, and blocks of code are no sentences', () => {
  const most = words(SENTENCE_WORDS_MAX - 1)
  expect(longSentences(`${most} \`a b c d\``)).toEqual([])
  expect(longSentences(`${most} [one](a/b/c.md)`)).toEqual([])
  expect(longSentences(`\`\`\`sh\n${words(40)}\n\`\`\`\n`)).toEqual([])
})

test('bars, lines and dashes of a table are no words', () => {
  expect(wordsIn('| a | `b c` |\n|---|---|\n| – | 2 |')).toBe(4)
})
