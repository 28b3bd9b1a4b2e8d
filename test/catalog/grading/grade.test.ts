import { describe, expect, test } from 'bun:test'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import { allScored, aSource, aTool, gradeOne, type ScoreInput, TODAY } from './grading-world.ts'

const OBSERVED = {
  ...{ security: 8, reliability: 7, schema: 9, ergonomics: 8, maintenance: 9 },
  ...{ transparency: 6, payments: 5 },
}

describe('worked by hand', () => {
  // Weights 16 16 14 14 12 10 8 6 4 of 100; without performance and tasks 86 are scored.
  const examples: Array<
    [name: string, Record<string, ScoreInput>, number, number | null, string | null]
  > = [
    ['all at 10', allScored(10), 0, 100, 'AA'],
    ['all at 9', allScored(9), 0, 90, 'AA'],
    ['all at 0', allScored(0), 0, 0, 'D'],
    ['all at 6, less 2', allScored(6), -2, 58, 'CC'],
    // 12.8 + 11.2 + 12.6 + 11.2 + 10.8 + 6 + 2 = 66.6; what is pending has no points yet.
    ['two pending', OBSERVED, 0, 66.6, 'B'],
    ['two pending, less 8', OBSERVED, -8, 58.6, 'CC'],
    // 16 + 16 + 14 + 14 = 60 of 100 scored, just enough.
    ['four of nine', { security: 10, reliability: 10, schema: 10, ergonomics: 10 }, 0, 60, 'B'],
    ['58 of 100', { security: 10, reliability: 10, schema: 10, maintenance: 10 }, 0, null, null],
    ['nothing', {}, 0, null, null],
  ]

  for (const [name, scores, points, score, grade] of examples) {
    test(name, () => {
      const { catalog } = gradeOne(
        aTool(scores, points === 0 ? {} : { negatives: [taken(points)] }),
      )
      expect([catalog.score, catalog.grade]).toEqual([score, grade])
      expect([catalog.graded, catalog.negative]).toEqual([score !== null, points])
    })
  }
})

test('a record says its scores, what is pending and what does not apply', () => {
  const { catalog, breakdown } = gradeOne(
    aTool({ ...OBSERVED, payments: 'not-applicable', tasks: 'pending' }, { kind: 'framework' }),
  )
  const { payments: _, ...rest } = OBSERVED
  expect(catalog.scores).toEqual(rest)
  expect(catalog.editorialScores).toEqual(rest)
  expect(catalog.pending).toEqual(['tasks'])
  expect(catalog.notApplicable).toEqual(['performance', 'payments'])
  // 82 of the 88 that apply.
  expect(catalog.coverage).toBe(0.9318)
  expect(breakdown.map(({ key }) => key)).toEqual([
    ...['security', 'reliability', 'schema', 'ergonomics', 'maintenance'],
    ...['transparency', 'performance', 'tasks', 'payments'],
  ])
  expect(breakdown[6]).toMatchObject({ key: 'performance', score: null, points: 0 })
})

test('nothing is said not to apply to a tool whose kind is not known', () => {
  const { catalog } = gradeOne(aTool({ security: 5 }, { kind: 'unknown' }))
  expect(catalog.notApplicable).toEqual([])
  expect(catalog.pending).toContain('payments')
})

test('the same input gives the same grades, whatever the order of the tools', () => {
  const tools = ['a', 'b', 'c'].map((slug, i) => aTool(allScored(5 + i), { slug }))
  const once = gradeAll(aSource(tools), new Map(), TODAY, new Map())
  const again = gradeAll(aSource(tools.toReversed()), new Map(), TODAY, new Map())
  expect([...once.keys()]).toEqual(['a', 'b', 'c'])
  for (const [slug, grading] of once) {
    expect(JSON.stringify(again.get(slug))).toBe(JSON.stringify(grading))
  }
})

function taken(points: number) {
  return {
    code: 'outage',
    points,
    reason: 'It was away.',
    source: 'https://example.com/incident',
    date: '2026-10-01',
    expires: '2027-10-01',
  }
}
