import { describe, expect, test } from 'bun:test'
import { CHECKS, LADDERS, proposeScores, runChecks } from '../../../src/catalog/checks/propose.ts'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { aCatalogView, measured } from '../../support/catalog-pages.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const TODAY = '2026-11-21'
const snapshot = aCatalogView(generatedCatalog(12))
const base = snapshot.tools.find(({ kind }) => kind === 'mcp') as ToolDetail
const { criteria } = snapshot.methodology

function resultOf(key: string, tool: ToolDetail, today = TODAY) {
  return runChecks({ tool, changes: [], today }).find((result) => result.key === key)
}

function proposalOf(criterion: string, tool: ToolDetail) {
  const all = proposeScores({ tool, changes: [], today: TODAY }, criteria)
  return all.find((one) => one.criterion === criterion)
}

const LIVE = { slug: base.slug, versions: [], pages: [], updatedAt: null }
const securityTxt = {
  url: 'https://v.example/s',
  status: 'valid',
  checkedAt: '2026-11-20T08:00:00Z',
}

test('each check says what it looks at, its limits and what would raise it, and has one name', () => {
  expect(new Set(CHECKS.map(({ key }) => key)).size).toBe(CHECKS.length)
  for (const { criterion, daysMost, question, looksAt, limits, raises } of CHECKS) {
    expect(criteria.map(({ key }) => key)).toContain(criterion)
    expect(daysMost).toBeGreaterThan(0)
    for (const text of [question, looksAt, limits, raises]) expect(text).not.toBe('')
  }
})

test('a score that checks can show needs checks of its criterion, and no more than there are', () => {
  for (const [criterion, ladder] of Object.entries(LADDERS)) {
    const scores = ladder.map(([score]) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => a - b))
    const own = CHECKS.filter((check) => check.criterion === criterion).map(({ key }) => key)
    for (const key of ladder.flatMap(([, keys]) => keys)) expect(own).toContain(key)
  }
})

describe('evidence', () => {
  test('without a measurement it is not known, whatever the check', () => {
    const bare = {
      ...base,
      ...{ live: LIVE, provenance: { ...base.provenance, securityTxt: null } },
    } as ToolDetail
    expect(resultOf('security-txt', bare)?.answer).toBe('unknown')
    expect(resultOf('uptime', bare)?.answer).toBe('unknown')
    expect(resultOf('tool-annotations', bare)?.answer).toBe('unknown')
  })

  test('that is too old is not known any more, and says so', () => {
    const tool = { ...base, live: { ...LIVE, securityTxt } } as ToolDetail
    expect(resultOf('security-txt', tool)).toMatchObject({ answer: 'yes', date: '2026-11-20' })
    expect(resultOf('security-txt', tool, '2027-02-20')).toMatchObject({
      answer: 'unknown',
      date: '2026-11-20',
    })
  })

  test('of a list of tools counts each of them', () => {
    const tools = [
      { name: 'a', letters: 4_000, described: true, annotated: true },
      { name: 'b', letters: 40_000, described: false, annotated: true },
    ]
    const mcpTools = { url: 'https://v.example', checkedAt: '2026-11-20T08:00:00Z', status: 'ok' }
    const tool = { ...base, live: { ...LIVE, mcpTools: { ...mcpTools, count: 2, tools } } }
    expect(resultOf('tool-annotations', tool as ToolDetail)?.answer).toBe('yes')
    expect(resultOf('described-parameters', tool as ToolDetail)?.answer).toBe('no')
    expect(resultOf('tool-list-cost', tool as ToolDetail)?.answer).toBe('no')
    expect(proposalOf('schema', tool as ToolDetail)).toMatchObject({ least: 4, most: 5 })
  })
})

test('speed is proposed only as measured, by the anchors', () => {
  const probe = (p50ms24h: number, p95ms24h: number, samples24h = 96) => {
    const live = measured(base.slug, { p50ms24h, p95ms24h, samples24h })
    return proposalOf('performance', { ...base, live } as ToolDetail)
  }
  expect(probe(150, 400)).toMatchObject({ least: 10, most: 10 })
  expect(probe(150, 1_900)).toMatchObject({ least: 8, most: 8 })
  expect(probe(150, 40_000)).toMatchObject({ least: 4, most: 4 })
  expect(probe(150, 400, 3)).toMatchObject({ least: null, most: 10 })
})

test('an old release is no evidence that nothing came after it', () => {
  const tool = { ...base, lastRelease: '2020-01-01', live: LIVE } as ToolDetail
  expect(resultOf('release-in-two-years', tool)?.answer).toBe('unknown')
  const versions = [
    {
      registry: 'npm',
      name: 'x',
      version: '1',
      released: '2020-01-01',
      seenAt: `${TODAY}T00:00:00Z`,
    },
  ]
  const current = { ...base, live: { ...LIVE, versions } } as ToolDetail
  expect(resultOf('release-in-two-years', current)?.answer).toBe('no')
})

test('of the shipped records every answer has a day, and a source or a measurement', async () => {
  const { tools } = aCatalogView(await exampleCatalog())
  for (const tool of tools) {
    for (const result of runChecks({ tool, changes: [], today: TODAY })) {
      if (result.answer === 'unknown') continue
      expect(result).toMatchObject({ date: expect.any(String), source: expect.any(String) })
    }
  }
})

describe('an OpenAPI document', () => {
  const api = snapshot.tools.find(({ kind }) => kind === 'http-api') as ToolDetail
  const url = 'https://a.example/openapi.json'
  const checkedAt = '2026-11-20T08:00:00Z'

  function withRules(complete: number): ToolDetail {
    const rules = [{ rule: 'operation-id', operations: 3, complete }]
    const openapiDocument = { url, status: 'read', rules, checkedAt }
    return { ...api, openapi: url, live: { ...LIVE, openapiDocument } } as ToolDetail
  }

  test('that has all of it shows 6, and names what is missing otherwise', () => {
    expect(proposalOf('schema', withRules(3))).toMatchObject({ least: 6 })
    expect(proposalOf('schema', withRules(1))).toMatchObject({ least: 4, most: 5 })
    expect(resultOf('described-operations', withRules(1))).toMatchObject({
      ...{ answer: 'no', source: url, date: '2026-11-20' },
      summary: expect.stringContaining('operation-id of 2 in 3'),
    })
  })

  test('that was not read is not known', () => {
    expect(resultOf('described-operations', { ...api, live: LIVE } as ToolDetail)).toMatchObject({
      answer: 'unknown',
    })
  })
})
