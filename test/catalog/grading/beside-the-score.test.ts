import { expect, test } from 'bun:test'
import {
  provenanceChecks,
  provenanceScore,
} from '../../../src/catalog/authoring/provenance-checks.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import { averageRating } from '../../../src/catalog/grading/metrics.ts'
import { notMeasured } from '../../../src/catalog/records/live.ts'
import { aSource, aTool, aVendor, gradeOne, TODAY } from './grading-world.ts'

test('the mean of ratings has one decimal, half up, and is null without any', () => {
  expect(averageRating([])).toBeNull()
  expect(averageRating([4])).toBe(4)
  expect(averageRating([4, 5, 4])).toBe(4.3)
  // 4.25 and 4.05, which are not whole in binary.
  expect(averageRating([4, 4.5])).toBe(4.3)
  expect(averageRating([4.1, 4])).toBe(4.1)
  expect(averageRating([1, 1, 1.1])).toBe(1)
})

test('reviews are counted for their own tool', () => {
  const review = (tool: string, rating: number) => ({
    ...{ id: `r-${rating}`, tool, rating, kind: 'desk', date: '2026-01-01', title: 'T', body: '' },
    ...{ pros: [], cons: [], themes: [], source: '', basis: '', outcome: '' },
  })
  const tools = [aTool({}, { slug: 'a' }), aTool({}, { slug: 'b' })]
  const reviews = [review('a', 5), review('a', 2), review('gone', 1)]
  const grades = gradeAll(aSource(tools, { reviews }), new Map(), TODAY, new Map())
  const ratings = [...grades.values()].map(({ catalog }) => [
    catalog.reviewCount,
    catalog.avgRating,
  ])
  expect(ratings).toEqual([
    [2, 3.5],
    [0, null],
  ])
})

const whole = aVendor({
  ...{ legalEntity: 'Example Ltd', domain: 'example.com', domainRegistered: '2001-01-01' },
  ...{ terms: 'https://example.com/terms', privacy: 'https://example.com/privacy' },
  ...{ statusPage: 'https://status.example.com', securityTxt: 'valid', checked: '2026-11-01' },
})
const changelog = 'https://example.com/changes'
const score = (vendor: typeof whole | undefined, more: Parameters<typeof aTool>[1] = {}) =>
  provenanceScore(provenanceChecks(vendor, aTool({}, { changelog, ...more })))

test('provenance is the share of what is in order', () => {
  expect(score(whole)).toBe(100)
  expect(score(whole, { remoteUrl: 'https://api.example.com/mcp' })).toBe(100)
  // 8 of 9, and 7 of 8.
  expect(score(whole, { remoteUrl: 'https://example.com.evil.example/mcp' })).toBe(89)
  expect(score({ ...whole, securityTxt: 'expired' })).toBe(88)
  expect(score(aVendor({ checked: '2026-11-01' }), { changelog: '' })).toBe(0)
})

test('the checks of provenance are what the score is made of, with where and when each was read', () => {
  const sources = [
    { url: 'https://example.com/imprint', read: '2026-10-01', facts: ['legalEntity'] },
  ]
  const live = {
    ...notMeasured('a-tool'),
    securityTxt: {
      url: 'https://example.com/.well-known/security.txt',
      status: 'expired',
      checkedAt: '2026-11-20T08:00:00Z',
    },
  }
  const tool = aTool({}, { changelog, remoteUrl: 'https://api.example.com/mcp' })
  const checks = provenanceChecks({ ...whole, sources }, tool, live)
  expect(checks.map(({ name, held }) => `${name} ${held}`)).toEqual([
    ...['legalEntity true', 'domain true', 'domainRegistered true', 'terms true', 'privacy true'],
    ...['statusPage true', 'securityTxt false', 'changelog true', 'endpointOnVendorDomain true'],
  ])
  expect(checks[0]).toMatchObject({
    result: 'Example Ltd',
    source: 'https://example.com/imprint',
    checked: '2026-10-01',
  })
  expect(checks[6]).toMatchObject({ result: 'expired', checked: '2026-11-20' })
  expect(provenanceScore(checks)).toBe(89)
})

test('provenance is null before anybody looked, and takes no part in the grade', () => {
  expect(score(undefined)).toBeNull()
  expect(score(aVendor())).toBeNull()
  const graded = (vendor: typeof whole) => gradeOne(aTool({ schema: 9 }), { vendors: [vendor] })
  const [good, none] = [graded(whole).catalog, graded(aVendor()).catalog]
  expect([good.provenanceScore, none.provenanceScore]).toEqual([88, null])
  expect(good).toEqual({ ...none, provenanceScore: 88 })
})

test('what can be measured follows from how a tool is reached', () => {
  const kind = (more: Parameters<typeof aTool>[1]) => gradeOne(aTool({}, more)).catalog.metrics
  const remoteUrl = 'https://example.com/mcp'
  expect(kind({})).toEqual({ kind: 'none', measured: false })
  expect(kind({ packages: [{ registry: 'npm', name: 'x' }] }).kind).toBe('package')
  expect(kind({ remoteUrl }).kind).toBe('endpoint')
  expect(kind({ remoteUrl, transports: ['streamable-http'] }).kind).toBe('mcp')
})
