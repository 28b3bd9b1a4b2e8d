import { foldText } from './match.ts'
import { stem } from './stem.ts'

// Words that people put around what they look for.
const SMALL = new Set(
  (
    'a an and any api apis are as at be best by can customer do does find for from get give good i ' +
    'in into is it its let lets me my need needs of on or our please service services some someone ' +
    'something support supports take takes taking that the their them there these this to tool tools ' +
    'up use uses using via want was we what when where which who why with you your did help make ' +
    'accept accepts accepting pay paid pays without how all each about over own only new myself more than should would could'
  ).split(' '),
)

// Scripts without spaces between words are read in pairs of letters.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** The folded words of a text, in its order: runs of letters and digits. */
export function splitWords(text: string): string[] {
  const folded = foldText(text).replace(/(?<=\p{L})['’]s(?!\p{L})/gu, '')
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** True for a word that says nothing about what is looked for. */
export function isSmall(word: string): boolean {
  return SMALL.has(word)
}

/** What a word is found by: its stem, or pairs of letters. */
export function termsOf(word: string): string[] {
  if (!UNSPACED.test(word)) return [stem(word)]
  const letters = [...word]
  return letters.length < 3 ? [word] : letters.slice(1).map((letter, i) => letters[i] + letter)
}

/** The terms of a text; words joined by a sign count together, too: "e-mail" is "email". */
export function textTerms(text: string): string[] {
  const joined = foldText(text).match(/[\p{L}\p{N}]+(?:[-.'’][\p{L}\p{N}]+)+/gu) ?? []
  const whole = joined.map((one) => one.replace(/[^\p{L}\p{N}]+/gu, ''))
  return [...splitWords(text), ...whole].flatMap(termsOf)
}
