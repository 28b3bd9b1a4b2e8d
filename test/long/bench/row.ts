/** One line of the table: what was measured, beside what, and what it must reach. */
export type Row = {
  what: string
  /** The figure and its counterpart of the same run, for people. */
  figure: string
  beside: string
  /** The number that is judged. */
  ratio: number
  /** Undefined for a row that is there for information. */
  must: { atLeast: number } | { atMost: number } | undefined
}

export function holds({ ratio, must }: Row): boolean {
  if (!must) return true
  return 'atLeast' in must ? ratio >= must.atLeast : ratio <= must.atMost
}

export function showRow(row: Row): string {
  const figures = [row.what, row.figure, row.beside, row.ratio.toFixed(2)].join(' | ')
  if (!row.must) return `${figures} | – | –`
  const bound = 'atLeast' in row.must ? `≥ ${row.must.atLeast}` : `≤ ${row.must.atMost}`
  const verdict = holds(row) ? 'holds' : 'FALLS SHORT'
  return `${figures} | ${bound} | ${verdict}`
}
