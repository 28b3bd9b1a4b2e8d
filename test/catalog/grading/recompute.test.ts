import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { feedWorld } from '../feeds/feed-world.ts'
import { aSource, aTool, type Given, TODAY } from './grading-world.ts'
import { type Doc, type Method, recomputed } from './stranger.ts'

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

test('so it is over HTTP, and so are the ranks', async () => {
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
  type Listed = { slug: string; catalog: { score: number | null; rank: number; ranked: boolean } }
  const { methodology } = await world.json<{ methodology: Method }>('/api/v1/methodology.json')
  const { tools } = await world.json<{ tools: Listed[] }>('/api/v1/tools.json')
  const scores = tools.flatMap(({ catalog }) => (catalog.ranked ? [catalog.score ?? -1] : []))
  expect(scores.length).toBeGreaterThan(20)
  for (const { slug, catalog } of tools) {
    const { tool } = await world.json<{ tool: Doc & { catalog: { grade: string } } }>(
      `/api/v1/tools/${slug}.json`,
    )
    expect([slug, catalog.score, tool.catalog.grade]).toEqual([
      slug,
      ...(recomputed(tool, methodology) as [number, string]),
    ])
    const above = scores.filter((score) => score > (catalog.score ?? -1)).length
    if (catalog.ranked) expect(catalog.rank).toBe(above + 1)
  }
})
