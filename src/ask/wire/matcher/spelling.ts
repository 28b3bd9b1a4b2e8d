/**
 * How names are compared: as they are, with case ignored character by character, or also with
 * characters that get longer in the other case (ß, ss), as some file systems do.
 */
export type Spelling = 'exact' | 'simple' | 'full'

/** The text in that spelling, always in NFC. */
export function spell(text: string, how: Spelling): string {
  if (isAscii(text)) return how === 'exact' ? text : text.toLowerCase()
  const composed = text.normalize('NFC')
  if (how === 'exact') return composed
  const fold = how === 'simple' ? foldOne : foldAll
  return Array.from(composed, fold).join('').normalize('NFC')
}

/** Returns true if all characters are ASCII: then case is a matter of single letters. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** The same character in the case that stands for both; never more than one character. */
export function foldOne(char: string): string {
  const all = foldAll(char)
  if (isOne(all)) return all
  const lower = char.toLowerCase()
  return isOne(lower) ? lower : char
}

// By upper case first, so that ſ and s, ς and σ become equal; ı is a letter of its own beside i.
function foldAll(char: string): string {
  return char === 'ı' ? char : char.toUpperCase().toLowerCase()
}

function isOne(text: string): boolean {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
}

const LATIN = /\p{Script=Latin}/u
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

/**
 * Returns true if a path contains letters that look like the Latin ones beside them, such as the
 * Cyrillic а.
 */
export function mixesScripts(path: string): boolean {
  return LATIN.test(path) && ALIKE.test(path)
}
