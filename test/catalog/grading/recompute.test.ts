import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import { aSource, aTool, type Given, TODAY } from './grading-world.ts'

// What a stranger writes who has the served documents and docs/catalog-grading.md, and no more.
type Doc = { breakdown: Row[]; catalog: Catalog }
type Row = { key: string; weight: number; score: number | null; effectiveWeight: number }
type Catalog = { pending: string[]; negatives: { points: number }[]; gates: { cap: string }[] }
type Method = {
  bands: { grade: string; from: number }[]
  coverage: { graded: number }
  negatives: { floor: number }
}

function recomputed({ breakdown, catalog }: Doc, method: Method) {
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

test('score, grade and weights can be worked out again from what is served alone', () => {
  const method = JSON.parse(JSON.stringify(defaultMethodology()))
  const keys = method.criteria.map((criterion: { key: string }) => criterion.key)
  const given = fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 10 }) },
    { weight: 1, arbitrary: fc.constantFrom<Given>('pending', 'not-applicable') },
  )
  const scores = fc.record<Record<string, Given>>(
    Object.fromEntries(keys.map((key: string) => [key, given])),
  )
  const negatives = fc.array(fc.integer({ min: -25, max: 0 }), { maxLength: 4 })
  const gates = fc.subarray(['archived', 'expired-tls', 'uptime-low'])
  const counts = { graded: 0, not: 0 }
  fc.assert(
    fc.property(scores, negatives, gates, (scores, points, codes) => {
      const seen = { reason: 'Seen.', source: 'https://example.com/seen', date: '2026-01-01' }
      const tool = aTool(scores, {
        negatives: points.map((points) => ({
          ...{ code: 'outage', points, ...seen, expires: '2027-01-01' },
        })),
        gates: codes.map((code) => ({ code, ...seen })),
      })
      const served = gradeAll(aSource([tool]), new Map(), TODAY, new Map()).get('a-tool')
      const document = JSON.parse(JSON.stringify(served))
      const { score, grade } = document.catalog
      expect([score, grade]).toEqual(recomputed(document, method) as [number, string])
      counts[score === null ? 'not' : 'graded'] += 1
    }),
    { numRuns: 500 },
  )
  expect(Math.min(counts.graded, counts.not)).toBeGreaterThan(50)
})
