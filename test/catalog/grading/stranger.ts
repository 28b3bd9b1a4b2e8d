import { expect } from 'bun:test'

// What a stranger writes who has the served documents and docs/catalog-grading.md, and no more.
export type Doc = { breakdown: Row[]; catalog: Catalog }
type Row = { key: string; weight: number; score: number | null; effectiveWeight: number }
type Catalog = { pending: string[]; negatives: { points: number }[]; gates: { cap: string }[] }
export type Method = {
  bands: { grade: string; from: number }[]
  coverage: { graded: number }
  negatives: { floor: number }
}

/** Score and grade; null twice for a record that is not graded. */
export function recomputed({ breakdown, catalog }: Doc, method: Method) {
  const scored = breakdown.filter((row) => row.score !== null)
  const pending = breakdown.filter((row) => catalog.pending.includes(row.key))
  const [known, open] = [scored, pending].map((rows) => rows.reduce((n, row) => n + row.weight, 0))
  if (!known || known / (known + (open ?? 0)) < method.coverage.graded - 1e-12) return [null, null]
  const share = (row: Row) => (row.weight * 10_000) / known
  const order = [...scored].sort(
    (a, b) => Math.round(((share(b) % 1) - (share(a) % 1)) * 1e9) || (a.key < b.key ? -1 : 1),
  )
  const spare = 10_000 - scored.reduce((n, row) => n + Math.floor(share(row) + 1e-9), 0)
  const points = scored.reduce((n, row) => {
    const hundredths = Math.floor(share(row) + 1e-9) + (order.indexOf(row) < spare ? 1 : 0)
    expect(row.effectiveWeight).toBe(hundredths / 100)
    return n + hundredths * (row.score ?? 0)
  }, 0)
  const taken = Math.max(
    method.negatives.floor,
    catalog.negatives.reduce((n, one) => n + one.points, 0),
  )
  const score = Math.round(Math.min(100_000, Math.max(0, points + taken * 1000)) / 100) / 10
  const names = method.bands.map(({ grade }) => grade)
  const band = method.bands.findIndex(({ from }) => score >= from)
  const place = Math.max(band, ...catalog.gates.map(({ cap }) => names.indexOf(cap)))
  return [score, names[place]]
}
