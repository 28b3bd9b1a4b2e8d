// Longer words are compared by their start: nobody mistypes more of a name.
const COMPARED = 40

/** The known word that is most like `word`, when one is near enough to have been meant. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const wanted = folded(word)
  let best: string | undefined
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const far = distance(wanted, folded(candidate), least)
    if (far < least) [best, least] = [candidate, far]
  }
  return best
}

/** `; did you mean "x"?`, or nothing. */
export function hint(word: string, known: Iterable<string>): string {
  const meant = didYouMean(word, known)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}

function folded(word: string): string {
  return word
    .slice(0, COMPARED)
    .toLowerCase()
    .replace(/[-_ .]/g, '')
}

/** Edits between two words; `most` when there are at least so many. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? most
}
