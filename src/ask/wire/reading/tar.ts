import type { Word } from './reading.ts'

// The letters of the old form, `tar cfC a.tar dir`, that take the next words in turn.
const TAKES_WORD = 'fCXTbg'

/** The words of `tar`, whose first may hold options without a hyphen. */
export function spellOutTar(words: readonly Word[]): readonly Word[] {
  const [letters, ...rest] = words
  if (letters?.sure !== 'text' || !/^[A-Za-z]+$/.test(letters.text)) return words
  const options: Word[] = []
  for (const letter of letters.text) {
    options.push({ ...letters, text: `-${letter}` })
    const value = TAKES_WORD.includes(letter) ? rest.shift() : undefined
    if (value) options.push(value)
  }
  return [...options, ...rest]
}
