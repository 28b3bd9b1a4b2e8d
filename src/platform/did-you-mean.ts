import { distance } from 'fastest-levenshtein'

// Only the start of long words is compared.
const COMPARED = 40

/** The known word most similar to `word`, if one is similar enough. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const target = folded(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(target.length / 3)) + 1
  for (const candidate of candidates) {
    const other = folded(candidate)
    const far = isSwapped(target, other) ? 1 : distance(target, other)
    if (far < least) [best, least] = [candidate, far]
  }
  return best
}

/** `; did you mean "x"?`, or nothing. */
export function suggest(word: string, candidates: Iterable<string>): string {
  const candidate = didYouMean(word, candidates)
  return candidate === undefined ? '' : `; did you mean "${candidate}"?`
}

/**
 * Returns true if two neighbouring letters are swapped: one slip of the fingers, though two edits.
 */
function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, i) => letter !== b[i])
  return at >= 0 && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b
}

function folded(word: string): string {
  return word
    .slice(0, COMPARED)
    .toLowerCase()
    .replace(/[-_ .]/g, '')
}
