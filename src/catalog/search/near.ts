const LONG_WORD = 8
const SHORT_WORD = 4

/**
 * Finds the terms that a mistyped one may mean, each with its distance: 0 for those with it inside,
 * else the number of edits, at most one, or two in a long word. A wrong, missing or surplus letter
 * and two exchanged ones are one edit.
 */
export function nearFinder(vocabulary: readonly string[]): (term: string) => Map<string, number> {
  const letters = Uint32Array.from(vocabulary, lettersOf)
  const lengths = Uint32Array.from(vocabulary, ({ length }) => length)
  return (term) => {
    const near = new Map<string, number>()
    if (term.length < SHORT_WORD || /\d/.test(term)) return near
    const most = term.length >= LONG_WORD ? 2 : 1
    const own = lettersOf(term)
    // Nearly all are told apart by numbers alone, without touching their texts.
    for (let at = 0; at < letters.length; at++) {
      const bits = letters[at] as number
      const longer = (lengths[at] as number) - term.length
      if (longer >= 0 && (own & ~bits) === 0) {
        const candidate = vocabulary[at] as string
        if (candidate.includes(term)) {
          near.set(candidate, 0)
          continue
        }
      }
      if (longer > most || -longer > most || countBits(own ^ bits) > 2 * most) continue
      const candidate = vocabulary[at] as string
      const distance = editsBetween(term, candidate, most)
      if (distance <= most) near.set(candidate, distance)
    }
    return near
  }
}

/** A bit for each letter that occurs. An edit changes at most two of them. */
function lettersOf(term: string): number {
  let bits = 0
  for (let at = 0; at < term.length; at++) bits |= 1 << (term.charCodeAt(at) & 31)
  return bits >>> 0
}

function countBits(bits: number): number {
  let sum = bits - ((bits >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The number of edits from one text to another; more than `most` once it is sure. */
function editsBetween(from: string, to: string, most: number): number {
  if (to.length < SHORT_WORD || Math.abs(from.length - to.length) > most) return most + 1
  let older: number[] = []
  let before = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) row[j] = edits(from, to, i, j, { older, before, row })
    if (Math.min(...row) > most) return most + 1
    older = before
    before = row
  }
  return before[to.length] ?? most + 1
}

type Rows = Record<'older' | 'before' | 'row', readonly number[]>

function edits(from: string, to: string, i: number, j: number, rows: Rows): number {
  const at = (cells: readonly number[], column: number) => cells[column] ?? Number.POSITIVE_INFINITY
  const replaced = at(rows.before, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
  const edited = Math.min(replaced, at(rows.before, j) + 1, at(rows.row, j - 1) + 1)
  const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
  return isSwapped ? Math.min(edited, at(rows.older, j - 2) + 1) : edited
}
