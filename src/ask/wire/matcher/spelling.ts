/**
 * How a name is spelled before it is compared: as it stands, with each character in one case, or
 * with those too that are longer in the other case (ß, ss), as some file systems have it.
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

/** Whether the characters are all ASCII: their case is then a matter of single letters. */
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

// By way of the capital, so that ſ and s, ς and σ meet; ı is a letter of its own beside i.
function foldAll(char: string): string {
  return char === 'ı' ? char : char.toUpperCase().toLowerCase()
}

function isOne(text: string): boolean {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
}
