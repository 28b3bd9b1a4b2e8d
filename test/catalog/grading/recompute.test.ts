import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import { GRADING_RULES } from '../../../src/catalog/records/grading-rules.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { howOften } from '../../support/share.ts'
import { feedWorld } from '../feeds/feed-world.ts'
import { aSource, aTool, type ScoreInput, TODAY } from './grading-world.ts'
import { type Doc, type Method, type Recomputed, recomputed } from './stranger.ts'

const RUNS = howOften(250, 500)

test('score, grade and weights can be worked out again from what is served alone', () => {
  const method: Method = JSON.parse(
    JSON.stringify({ methodology: defaultMethodology(), rules: GRADING_RULES }),
  )
  const keys = method.methodology.criteria.map((criterion: { key: string }) => criterion.key)
  const input = fc.oneof(
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 10 }) },
    { weight: 1, arbitrary: fc.constantFrom<ScoreInput>('pending', 'not-applicable') },
  )
  const scores = fc.record<Record<string, ScoreInput>>(
    Object.fromEntries(keys.map((key: string) => [key, input])),
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
      expect(servedOf(document)).toEqual(recomputed({ ...document, kind: tool.kind }, method))
      expect(grade === null).toBe(score === null)
      counts[score === null ? 'not' : 'graded'] += 1
    }),
    { numRuns: RUNS },
  )
  expect(Math.min(counts.graded, counts.not)).toBeGreaterThan(RUNS / 5)
})

// spec: CF-GRADE
test('grades and ranks over HTTP are the recomputed ones', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(60)
  const seen = { reason: 'Seen.', source: 'https://example.com/seen', date: '2026-01-01' }
  const spoiled = source.tools.map((tool, i) => ({
    ...tool,
    ...(i % 4 === 0
      ? { negatives: [{ code: 'outage', points: -(i % 26), ...seen, expires: '2027-01-01' }] }
      : {}),
    ...(i % 7 === 0 ? { gates: [{ code: 'archived', ...seen }] } : {}),
  }))
  await world.publish({ ...source, tools: spoiled, methodology: defaultMethodology() })
  type Listed = { slug: string; catalog: { rank: number | null; ranked: boolean } }
  const method = await world.json<Method>('/api/v1/methodology.json')
  const { tools } = await world.json<{ tools: Listed[] }>('/api/v1/tools.json')
  const worked: Array<{ slug: string; standing: number[] | null }> = []
  for (const { slug } of tools) {
    const { tool } = await world.json<{ tool: Doc & Served }>(`/api/v1/tools/${slug}.json`)
    const own = recomputed(tool, method)
    expect({ slug, ...servedOf(tool) }).toEqual({ slug, ...own })
    worked.push({ slug, standing: standingOf(tool, own, method) })
  }
  const ranked = worked.flatMap(({ standing }) => (standing ? [standing] : []))
  expect(ranked.length).toBeGreaterThan(20)
  const above = ([band = 0, score = 0]: number[]) =>
    ranked.filter(([b = 0, s = 0]) => b < band || (b === band && s > score)).length
  for (const { slug, standing } of worked) {
    const { rank, ranked } = tools.find((tool) => tool.slug === slug)?.catalog ?? {}
    expect([slug, ranked, rank]).toEqual([slug, standing !== null, standing && above(standing) + 1])
  }
  expect(tools.some(({ catalog }) => !catalog.ranked)).toBe(true)
})

type Served = {
  catalog: {
    score: number | null
    grade: string | null
    assessment: { confidence: string }
  }
}

function servedOf({ catalog, breakdown }: Doc & Served) {
  const none = catalog.notApplicable ?? []
  const applies = breakdown.filter(({ key }) => !none.includes(key))
  const weights = Object.fromEntries(applies.map((row) => [row.key, row.effectiveWeight]))
  return { score: catalog.score, grade: catalog.grade, weights }
}

/** Band and score of a record that is ranked; null for the others. */
function standingOf({ catalog }: Doc & Served, own: Recomputed, { methodology, rules }: Method) {
  expect(rules.ranking.by).toEqual(['grade', 'score'])
  if (own.score === null || catalog.gates.some(({ code }) => rules.ranking.without.includes(code)))
    return null
  if (!['high', 'medium'].includes(catalog.assessment.confidence)) return null
  return [methodology.bands.findIndex(({ grade }) => grade === own.grade), own.score]
}
