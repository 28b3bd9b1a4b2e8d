import type { Span } from './reading/reading.ts'
import { scriptOf } from './scripts.ts'

/** A letter that deceives who reads it: where it is, and what it is. */
export type Deception = { at: Span; name: string }

// Letters that cannot be seen, or that change the order or the look of others. A carriage return
// is part of a word for a shell.
const UNSEEN = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{DI}\u2800]/gu
// Blanks that texts for people have, before a colon for example.
const TYPOGRAPHIC = /[\u00a0\u2009\u202f]/g
// In a picture they join its parts.
const EMOJI = /\p{Extended_Pictographic}(\ufe0f|\u200d\p{Extended_Pictographic})*/gu

const LATIN = /\p{Script=Latin}/u
// Letters of another script. Chinese, Japanese and Korean have Latin letters in their words.
const OTHER =
  /(?![\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}])[\p{L}\p{M}]/gu

/** The letters of a command that a person cannot see, in their order. */
export function unseenLetters(text: string): Deception[] {
  const visible = text.replace(EMOJI, (emoji) => '.'.repeat(emoji.length))
  return deception(visible, UNSEEN, codeOf)
}

function codeOf(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * The letters of a text that a person cannot see or takes for others, in their order: those of
 * another script in a word that has Latin ones. `prose`: what people write has blanks of its own.
 */
export function deceptiveLetters(text: string, kind: 'command' | 'prose'): Deception[] {
  const readable = kind === 'prose' ? text.replace(TYPOGRAPHIC, ' ') : text
  const mixed = [...readable.matchAll(/[\p{L}\p{M}]+/gu)].flatMap(({ index, 0: word }) => {
    return LATIN.test(word)
      ? deception(word, OTHER, (letter) => scriptOf(letter) ?? codeOf(letter), index)
      : []
  })
  return [...unseenLetters(readable), ...mixed].sort((a, b) => a.at[0] - b.at[0])
}

function deception(
  text: string,
  letters: RegExp,
  nameOf: (letter: string) => string,
  from = 0,
): Deception[] {
  return [...text.matchAll(letters)].map(({ index, 0: letter }) => ({
    at: [from + index, from + index + letter.length],
    name: nameOf(letter),
  }))
}

// Pairs of the Unicode consortium's confusables: letters of other alphabets and digits that look
// like a Latin letter in most fonts.
const LATIN_LOOKS: Record<string, string> = {
  ...pairs('авеёкмнорстухѕіјһԁѵɡ', 'aвeёkmhopctyxsijhdvg'),
  ...pairs('АВЕКМНОРСТУХЅІЈԌ', 'ABEKMHOPCTYXSlJG'),
  ...pairs('ονκιρυχγωητ', 'ovkipuxywnt'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHlKMNOPTYX'),
  ...pairs('ՍՏՕագզհոռսցքօ', 'USOwqqhnnugfo'),
  ...pairs('ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴ', 'DRTiYAJEWMHYGhZ4bRWSVSLCPKd6GB'),
  ...pairs('ꭵꮁꮃꮓꮩꮪꮯ', 'irwzvsc'),
  ...pairs('0I1|', 'Olll'),
}

function pairs(other: string, latin: string): Record<string, string> {
  const looks = [...latin]
  return Object.fromEntries([...other].map((letter, at) => [letter, looks[at] ?? letter]))
}

/** Returns the look of a text: two texts with the same look cannot be told apart by a person. */
export function lookOf(text: string): string {
  const visible = text
    .normalize('NFKC')
    .replace(UNSEEN, (letter) => (/\p{Z}/u.test(letter) ? ' ' : ''))
  const latin = Array.from(visible, (letter) => LATIN_LOOKS[letter] ?? letter).join('')
  return latin.replace(/rn/g, 'm').replace(/\s+/g, ' ').trim()
}
