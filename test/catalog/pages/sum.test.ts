import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { addUp } from '../../../src/catalog/grading/add-up.ts'
import { CRITERIA } from '../../../src/catalog/records/grading.ts'

type Scored = { key: string; weight: number; score: number }
type Row = { basisPoints: number; parts: number }
type Sum = { spread(scored: Scored[]): Row[]; tenths(rows: Row[], negative: number): number }

// The very file that browsers load; TypeScript takes such files for text.
const file = new URL('../../../src/catalog/pages/client/sum.js', import.meta.url).href
const { spread, tenths }: Sum = await import(file)

const scored = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom(...CRITERIA),
    weight: fc.integer({ min: 0, max: 40 }),
    score: fc.integer({ min: 0, max: 10 }),
  }),
  { selector: ({ key }) => key },
)

test('the browser adds up as the server does, whatever the weights', () => {
  fc.assert(
    fc.property(scored, fc.integer({ min: -25, max: 0 }), (criteria, negative) => {
      const judged = criteria.map((one) => ({
        ...one,
        ...{ name: one.key, state: 'scored' as const, reason: '', evidence: [] },
      }))
      const server = addUp(judged, negative)
      const browser = spread(criteria)
      expect(browser.map(({ basisPoints }) => basisPoints / 100)).toEqual(
        server.breakdown.map(({ effectiveWeight }) => effectiveWeight),
      )
      expect(browser.map(({ parts }) => parts / 1000)).toEqual(
        server.breakdown.map(({ points }) => points),
      )
      expect(tenths(browser, negative)).toBe(server.tenths)
    }),
  )
})
