import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  addUp,
  type CriterionScore,
  effectiveWeights,
} from '../../../src/catalog/grading/add-up.ts'
import { howOften } from '../../support/share.ts'

const SOME = howOften(30, 300)

const weighed = fc.uniqueArray(
  fc.record({ key: fc.string({ minLength: 1, maxLength: 12 }), weight: fc.nat(1000) }),
  { selector: ({ key }) => key, maxLength: 40 },
)

const criteria = fc.uniqueArray(
  fc.record({
    key: fc.string({ minLength: 1, maxLength: 8 }),
    weight: fc.integer({ min: 1, max: 1000 }),
    score: fc.integer({ min: 0, max: 10 }),
    state: fc.constantFrom('scored', 'pending', 'not-applicable'),
  }),
  { selector: ({ key }) => key, maxLength: 15 },
)

type Plain = { key: string; weight: number; score: number; state: CriterionScore['state'] }

function judged({ key, weight, score, state }: Plain): CriterionScore {
  return { key, name: key, weight, state, score: state === 'scored' ? score : null, reason: '' }
}

const negatives = fc.integer({ min: -25, max: 0 })

/** A column of decimals, added up as whole numbers. */
function total(column: number[], parts: number): number {
  return column.reduce((sum, value) => sum + Math.round(value * parts), 0)
}

test('effective weights are the hand-made examples', () => {
  const nine = { sec: 16, rel: 16, sch: 14, erg: 14, mai: 12, tra: 10, per: 8, tas: 6, pay: 4 }
  const of = (weights: Record<string, number>) =>
    Object.fromEntries(
      effectiveWeights(Object.entries(weights).map(([key, weight]) => ({ key, weight }))),
    )
  expect(Object.values(of(nine))).toEqual([1600, 1600, 1400, 1400, 1200, 1000, 800, 600, 400])
  expect(of({ only: 7 })).toEqual({ only: 10_000 })
  // 3333.3 each: one is left over, and the remainders are equal.
  expect(of({ c: 1, b: 1, a: 1 })).toEqual({ c: 3333, b: 3333, a: 3334 })
  // 14/86 = 1627.906…, 16/86 = 1860.465…, 12/86 = 1395.348…, 10/86 = 1162.79…, 4/86 = 465.116…
  const seven = { sec: 16, rel: 16, sch: 14, erg: 14, mai: 12, tra: 10, pay: 4 }
  expect(Object.values(of(seven))).toEqual([1860, 1861, 1628, 1628, 1395, 1163, 465])
  expect(of({})).toEqual({})
  expect(of({ none: 0 })).toEqual({ none: 0 })
})

test('sum to exactly 100.00, and each is within a basis point of its share', () => {
  fc.assert(
    fc.property(weighed, (list) => {
      const weights = effectiveWeights(list)
      const whole = list.reduce((sum, { weight }) => sum + weight, 0)
      const sum = [...weights.values()].reduce((a, b) => a + b, 0)
      expect(sum).toBe(whole === 0 ? 0 : 10_000)
      for (const { key, weight } of list) {
        const share = whole === 0 ? 0 : (weight * 10_000) / whole
        expect(Math.abs((weights.get(key) ?? -9) - share)).toBeLessThan(1)
      }
    }),
    { numRuns: SOME },
  )
})

test('effective weights do not depend on the order', () => {
  fc.assert(
    fc.property(weighed, fc.nat(), (list, seed) => {
      const turned = list.toSorted((a, b) => hash(a.key, seed) - hash(b.key, seed))
      const before = effectiveWeights(list)
      for (const [key, weight] of effectiveWeights(turned)) expect(before.get(key)).toBe(weight)
    }),
    { numRuns: SOME },
  )
})

test('the sum has a column of weights that is 100.00 and points that are the product', () => {
  fc.assert(
    fc.property(criteria, negatives, (list, negative) => {
      const { breakdown, tenths } = addUp(list.map(judged), negative)
      const applies = breakdown.filter(({ state }) => state !== 'not-applicable')
      const column = breakdown.map(({ effectiveWeight }) => effectiveWeight)
      expect(total(column, 100)).toBe(applies.length === 0 ? 0 : 10_000)
      for (const { score, effectiveWeight, points } of breakdown) {
        expect(Math.round(points * 1000)).toBe((score ?? 0) * Math.round(effectiveWeight * 100))
        expect(String(points)).toMatch(/^\d+(\.\d{1,3})?$/)
      }
      const exact = total(
        breakdown.map(({ points }) => points),
        1000,
      )
      const held = Math.min(Math.max(exact + negative * 1000, 0), 100_000)
      expect(Math.abs(tenths * 100 - held)).toBeLessThanOrEqual(50)
    }),
    { numRuns: SOME },
  )
})

test('the sum never falls when a score rises, and never rises with a deduction', () => {
  fc.assert(
    fc.property(criteria, negatives, fc.nat(), (list, negative, pick) => {
      const { tenths } = addUp(list.map(judged), negative)
      const at = list.length === 0 ? -1 : pick % list.length
      const raised = list.map((one, i) => (i === at ? { ...one, score: raise(one.score) } : one))
      expect(addUp(raised.map(judged), negative).tenths).toBeGreaterThanOrEqual(tenths)
      expect(addUp(list.map(judged), Math.max(negative - 1, -25)).tenths).toBeLessThanOrEqual(
        tenths,
      )
    }),
    { numRuns: SOME },
  )
})

test('the sum never rises when a score is left out, and the interval has every score in it', () => {
  fc.assert(
    fc.property(criteria, negatives, fc.nat(), (list, negative, pick) => {
      const whole = list.map((one) => ({ ...one, state: 'scored' as const }))
      const at = list.length === 0 ? -1 : pick % list.length
      const without = whole.map((one, i) =>
        i === at ? { ...one, state: 'pending' as const } : one,
      )
      const sum = addUp(whole.map(judged), negative)
      const open = addUp(without.map(judged), negative)
      expect(open.tenths).toBeLessThanOrEqual(sum.tenths)
      const points = open.breakdown.map((row) => row.pointsMost ?? row.points)
      const most = Math.min(Math.max(total(points, 1000) + negative * 1000, 0), 100_000)
      expect(sum.tenths * 100).toBeLessThanOrEqual(most + 50)
    }),
    { numRuns: SOME },
  )
})

test('the sum is the same with a further criterion that does not apply', () => {
  fc.assert(
    fc.property(criteria, negatives, fc.integer({ min: 1, max: 99 }), (list, negative, weight) => {
      const before = addUp(list.map(judged), negative)
      const more = judged({ key: 'one more', weight, score: 0, state: 'not-applicable' })
      const after = addUp([...list.map(judged), more], negative)
      expect(after.tenths).toBe(before.tenths)
      expect(after.breakdown.slice(0, -1)).toEqual(before.breakdown)
      expect(after.breakdown.at(-1)).toMatchObject({
        effectiveWeight: 0,
        score: null,
        points: 0,
      })
      expect(after.applicableWeight).toBe(before.applicableWeight)
    }),
    { numRuns: SOME },
  )
})

test('the sum does not depend on the order of the criteria', () => {
  fc.assert(
    fc.property(criteria, negatives, (list, negative) => {
      const { tenths } = addUp(list.map(judged), negative)
      expect(addUp(list.toReversed().map(judged), negative).tenths).toBe(tenths)
    }),
    { numRuns: SOME },
  )
})

test('the sum is rounded half up, once, at its end', () => {
  const two = (a: number, b: number) => [
    judged({ key: 'a', weight: a, score: 10, state: 'scored' }),
    judged({ key: 'b', weight: b, score: 0, state: 'scored' }),
  ]
  // 89.95 → 90.0; 89.94 → 89.9; 0.05 → 0.1.
  expect(addUp(two(8995, 1005), 0).tenths).toBe(900)
  expect(addUp(two(8994, 1006), 0).tenths).toBe(899)
  expect(addUp(two(5, 9995), 0).tenths).toBe(1)
  expect(addUp(two(8995, 1005), -1).tenths).toBe(890)
})

test('the sum stays within 0 and 100, whatever is taken off', () => {
  const one = [judged({ key: 'a', weight: 1, score: 10, state: 'scored' })]
  expect(addUp(one, 0).tenths).toBe(1000)
  expect(addUp(one, -1_000_000).tenths).toBe(0)
  expect(addUp([], -25)).toEqual({
    breakdown: [],
    tenths: 0,
    scoredWeight: 0,
    applicableWeight: 0,
  })
})

function raise(score: number): number {
  return Math.min(score + 1, 10)
}

function hash(key: string, seed: number): number {
  return Number(BigInt(Bun.hash(`${seed} ${key}`)) % 1_000_003n)
}
