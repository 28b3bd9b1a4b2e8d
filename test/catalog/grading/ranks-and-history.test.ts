import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { competitionRanks } from '../../../src/catalog/grading/competition-rank.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import type { GradeHistory } from '../../../src/catalog/grading/history.ts'
import type { AuthoredTool } from '../../../src/catalog/records/authored.ts'
import { howOften } from '../../support/share.ts'
import { allScored, aSource, aTool, TODAY } from './grading-world.ts'

test('ranks share a place and count it: 1, 2, 2, 4', () => {
  const tools = [
    aTool(allScored(7), { slug: 'b' }),
    aTool(allScored(9), { slug: 'a', category: 'storage' }),
    aTool(allScored(7), { slug: 'c' }),
    aTool(allScored(5), { slug: 'd', category: 'storage' }),
    aTool(allScored(10), {
      slug: 'unsure',
      assessment: { confidence: 'low', date: '2026-11-01' },
    }),
    aTool({}, { slug: 'ungraded' }),
  ]
  const grades = gradeAll(aSource(tools), new Map(), TODAY, new Map())
  const rows = [...grades].map(([slug, { catalog: c }]) =>
    [slug, c.ranked, c.rank, c.rankOf, c.categoryRank].join(' '),
  )
  expect(rows).toEqual([
    'b true 2 4 1',
    'a true 1 4 1',
    'c true 2 4 1',
    'd true 4 4 2',
    'unsure false  4 ',
    'ungraded false  4 ',
  ])
})

test.each(['shut-down', 'withdrawn'])('ranks leave out what is %s, and close the gap', (code) => {
  const over = { code, reason: 'Seen.', source: 'https://example.com', date: '2026-06-15' }
  const tools = [
    aTool(allScored(10), { slug: 'over', gates: [over] }),
    aTool(allScored(5), { slug: 'used' }),
    aTool(allScored(9), {
      slug: 'capped',
      gates: [{ ...over, code: 'archived' }],
    }),
  ]
  const grades = gradeAll(aSource(tools), new Map(), TODAY, new Map())
  const rows = [...grades].map(([slug, { catalog: c }]) => [slug, c.grade, c.score, c.rank])
  // A cap counts in the rank: 50 without one is CC, 90 with a cap at C is below it.
  expect(rows).toEqual([
    ['over', 'D', 100, null],
    ['used', 'CC', 50, 1],
    ['capped', 'C', 90, 2],
  ])
  expect([...grades.values()].map(({ catalog }) => catalog.rankOf)).toEqual([2, 2, 2])
})

test('ranks are one more than those with a better grade, or the same and a higher score, in any order', () => {
  const list = fc.uniqueArray(
    fc.record({
      slug: fc.string({ minLength: 1 }),
      category: fc.constantFrom('a', 'b'),
      band: fc.integer({ min: 0, max: 2 }),
      score: fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
    }),
    { selector: ({ slug }) => slug },
  )
  fc.assert(
    fc.property(list, (records) => {
      const ranks = competitionRanks(records)
      for (const { slug, category, band, score } of records) {
        const above = records.filter(
          (other) => other.band < band || (other.band === band && other.score > score),
        )
        const within = above.filter((other) => other.category === category)
        expect(ranks.get(slug)).toEqual({
          rank: above.length + 1,
          categoryRank: within.length + 1,
        })
      }
      expect(competitionRanks(records.toReversed())).toEqual(ranks)
    }),
    { numRuns: howOften(20, 200) },
  )
})

const grade = (tool: AuthoredTool, earlier: GradeHistory, more: Partial<CatalogSource> = {}) => {
  const one = gradeAll(aSource([tool], more), new Map(), TODAY, earlier).get(tool.slug)
  return one?.catalog.history ?? []
}
const of = (history: ReturnType<typeof grade>): GradeHistory => new Map([['a-tool', history]])

test('history begins with the first grade, and is not there before', () => {
  expect(grade(aTool({}), new Map())).toEqual([])
  expect(grade(aTool(allScored(7)), new Map())).toEqual([
    {
      ...{ basis: 'editorial', confidence: 'high', grade: 'BB', methodology: '1.3' },
      ...{ pending: [], run: '2026-11-01', runLabel: 'November', score: 70 },
    },
  ])
})

test('history grows by what changed, and keeps what was', () => {
  const first = grade(aTool(allScored(7)), new Map())
  const frozen = structuredClone(first)
  expect(grade(aTool(allScored(7)), of(first))).toEqual(first)
  const second = grade(aTool(allScored(8)), of(first))
  expect(second.map(({ score }) => score)).toEqual([70, 80])
  const third = grade(aTool({}), of(second))
  expect(third.map((item) => item.grade)).toEqual(['BB', 'A', null])
  expect([third.slice(0, 1), first]).toEqual([frozen, frozen])
})

test('history goes back and forth without forgetting', () => {
  const scores = [7, 8, 7, 7, 8]
  const last = scores.reduce(
    (history, score) => grade(aTool(allScored(score)), of(history)),
    grade(aTool(allScored(9)), new Map()),
  )
  expect(last.map(({ score }) => score)).toEqual([90, 70, 80, 70, 80])
})

test('history goes on under a new slug', () => {
  const before = grade(aTool(allScored(7)), new Map())
  const removed = [{ slug: 'old', date: '2026-01-01', reason: 'Renamed.', renamedTo: 'a-tool' }]
  const after = grade(aTool(allScored(8)), new Map([['old', before]]), { removed })
  expect(after.map(({ score }) => score)).toEqual([70, 80])
})
