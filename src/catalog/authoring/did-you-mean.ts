import { distance } from 'fastest-levenshtein'

// Only the start of long words is compared.
const COMPARED = 40

/** The known word most similar to `word`, if one is similar enough. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const wanted = folded(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const far = distance(wanted, folded(candidate))
    if (far < least) [best, least] = [candidate, far]
  }
  return best
}

/** `; did you mean "x"?`, or nothing. */
export function suggest(word: string, known: Iterable<string>): string {
  const meant = didYouMean(word, known)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}

function folded(word: string): string {
  return word
    .slice(0, COMPARED)
    .toLowerCase()
    .replace(/[-_ .]/g, '')
}
