import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { howOften } from '../../support/share.ts'
import { allScored, aTool, gradeOne } from './grading-world.ts'

function taken(points: number, more: { date?: string; expires?: string } = {}) {
  return {
    ...{ code: 'outage', points, reason: `It cost ${-points}.`, source: 'https://example.com/x' },
    ...{ date: '2026-01-01', expires: '2026-12-31', ...more },
  }
}

function graded(negatives: ReturnType<typeof taken>[], today: string, score = 8) {
  return gradeOne(aTool(allScored(score), { negatives }), { today }).catalog
}

test('a deduction counts from its date to its last day, and never after', () => {
  const one = [taken(-5)]
  const scores = ['2025-12-31', '2026-01-01', '2026-06-15', '2026-12-31', '2027-01-01'].map(
    (today) => graded(one, today).score,
  )
  expect(scores).toEqual([80, 75, 75, 75, 80])
})

test('a deduction is listed with its reason while it counts', () => {
  const { negative, negatives, negativeNotes } = graded([taken(-5), taken(-3)], '2026-12-31')
  expect(negative).toBe(-8)
  expect(negativeNotes).toEqual(['It cost 5.', 'It cost 3.'])
  expect(negatives).toEqual([taken(-5), taken(-3)])
  const after = graded([taken(-5), taken(-3)], '2027-01-01')
  expect(Object.hasOwn(after, 'negativeNotes')).toBe(false)
  expect([after.negatives, Object.is(after.negative, 0)]).toEqual([[], true])
})

test('deductions never take more than 25 together, never lower the score below 0, and never raise it', () => {
  const many = Array.from({ length: 50 }, () => taken(-25))
  expect(graded(many, '2026-06-01')).toMatchObject({ negative: -25, score: 55, grade: 'CC' })
  expect(graded(many, '2026-06-01', 2)).toMatchObject({ negative: -25, score: 0, grade: 'D' })
  expect(graded([taken(7)], '2026-06-01')).toMatchObject({ negative: 0, score: 80 })
  expect(graded([taken(Number.MIN_SAFE_INTEGER)], '2026-06-01').negative).toBe(-25)
})

test('a deduction that ends before it begins never counts', () => {
  const backwards = taken(-5, { date: '2026-12-31', expires: '2026-01-01' })
  for (const today of ['2025-12-31', '2026-06-01', '2027-01-01']) {
    expect(graded([backwards], today).negative).toBe(0)
  }
})

test('a deduction without a grade is still shown', () => {
  const { catalog } = gradeOne(aTool({}, { negatives: [taken(-5)] }))
  expect(catalog).toMatchObject({ graded: false, score: null, grade: null, negative: -5 })
})

test('as deductions expire the score never falls', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((d) => `2026-06-${String(d).padStart(2, '0')}`)
  const some = fc.array(fc.record({ points: fc.integer({ min: -25, max: 0 }), expires: day }))
  fc.assert(
    fc.property(some, day, day, (list, a, b) => {
      const negatives = list.map(({ points, expires }) => taken(points, { expires }))
      const [early, late] = [a, b].sort() as [string, string]
      const [before, after] = [graded(negatives, early), graded(negatives, late)]
      expect(after.score ?? -1).toBeGreaterThanOrEqual(before.score ?? -1)
      expect(after.negative).toBeGreaterThanOrEqual(before.negative)
    }),
    { numRuns: howOften(20, 100) },
  )
})
