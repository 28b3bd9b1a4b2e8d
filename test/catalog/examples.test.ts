import { describe, expect, test } from 'bun:test'
import { exampleTexts } from '../../src/catalog/commands/init.ts'
import { isDay, SLUG_PATTERN } from '../../src/catalog/records/words.ts'
import { exampleCatalog } from '../support/example-catalog.ts'
import { detailsOf } from './snapshot-of.ts'

const KINDS = ['framework', 'http-api', 'mcp', 'model', 'platform', 'protocol']
// The categories that the directory is for, and what the examples call them.
const CATEGORIES = [
  ...['agent-frameworks', 'models', 'payments', 'secrets', 'messaging', 'storage', 'scraping'],
  ...['search', 'protocols'],
]
// What the curator decides, and what carries an address of its own.
const NOT_READ = new Set([
  ...['vendor', 'kind', 'category', 'tags', 'sources', 'slug', 'unitPrices'],
  // What desk reviews add; desk.test.ts reads them.
  ...['desk', 'assessment'],
])
const VENDOR_NOT_READ = new Set(['id', 'sources', 'checked'])
const JUDGED = ['scores', 'negatives', 'gates', 'strengths', 'weaknesses', 'text']

type Sourced = { sources?: Array<{ url: string; read: string; facts: string[] }> | undefined }

/** The facts of a file that no source in it vouches for. */
function unsourced(file: Sourced, notRead: ReadonlySet<string>): string[] {
  const vouched = new Set(file.sources?.flatMap(({ facts }) => facts))
  return Object.keys(file).filter((fact) => !notRead.has(fact) && !vouched.has(fact))
}

describe('the examples of catalog init', () => {
  test('are read without a problem, and are at least forty', async () => {
    const { tools, settings } = await exampleCatalog()
    expect(tools.length).toBeGreaterThanOrEqual(40)
    expect(settings.preview).toBe(true)
  })

  test('have records of every kind and in every category', async () => {
    const { tools, settings } = await exampleCatalog()
    expect([...new Set(tools.map(({ kind }) => kind))].sort()).toEqual(KINDS)
    const used = new Set(tools.map(({ category }) => category))
    expect(settings.categories.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([])
    expect(CATEGORIES.filter((category) => !used.has(category))).toEqual([])
  })

  test('have no score that is written without findings, and no review of a user', async () => {
    const source = await exampleCatalog()
    expect(source.reviews).toEqual([])
    for (const tool of source.tools) {
      expect(JUDGED.filter((key) => key in tool)).toEqual([])
    }
    for (const { slug, breakdown } of detailsOf(source)) {
      const bare = breakdown.filter(({ score, findings }) => score !== null && !findings)
      expect({ slug, bare }).toEqual({ slug, bare: [] })
    }
  })

  test('name the address and the day of every fact', async () => {
    const { tools, vendors } = await exampleCatalog()
    const files = [
      ...tools.map((tool) => ({ file: tool, name: tool.slug, notRead: NOT_READ })),
      ...vendors.map((vendor) => ({ file: vendor, name: vendor.id, notRead: VENDOR_NOT_READ })),
    ]
    for (const { file, name, notRead } of files) {
      expect({ name, unsourced: unsourced(file, notRead) }).toEqual({ name, unsourced: [] })
      for (const { url, read, facts } of file.sources ?? []) {
        expect({ name, url: url.startsWith('https://'), day: isDay(read) }).toEqual({
          ...{ name, url: true, day: true },
        })
        expect({ name, unknown: facts.filter((fact) => !(fact in file)) }).toEqual({
          ...{ name, unknown: [] },
        })
      }
    }
  })

  test('name the address of every price, paid endpoint and change', async () => {
    const { tools, changes } = await exampleCatalog()
    const sources = tools.flatMap(({ slug, unitPrices = [], x402 }) => [
      ...unitPrices.map(({ source }) => [slug, source]),
      ...(x402 ? [[slug, x402.source]] : []),
      ...(x402?.endpoints ?? []).map(({ source }) => [slug, source]),
    ])
    const all = [...sources, ...changes.map(({ id, source }) => [id, source])]
    expect(all.length).toBeGreaterThan(80)
    expect(all.filter(([, source]) => !source?.startsWith('https://'))).toEqual([])
  })

  test('show what the pages are for: prices, paid calls, past and coming changes', async () => {
    const { tools, changes, settings } = await exampleCatalog()
    expect(tools.filter(({ unitPrices = [] }) => unitPrices.length > 0).length).toBeGreaterThan(20)
    const paid = tools.filter(({ x402 }) => x402?.level === 'yes')
    expect(paid.filter(({ category }) => category === 'messaging').length).toBeGreaterThan(0)
    const { date } = settings.run
    expect(changes.filter((change) => change.date <= date).length).toBeGreaterThan(3)
    expect(changes.filter((change) => change.date > date).length).toBeGreaterThan(3)
  })

  test('have slugs that can be part of an address, each once', async () => {
    const { tools } = await exampleCatalog()
    const slugs = tools.map(({ slug }) => slug)
    expect(slugs.filter((slug) => !new RegExp(SLUG_PATTERN).test(slug))).toEqual([])
    expect(new Set(slugs).size).toBe(slugs.length)
  })

  test('carry a text that says what they are and where they are from', () => {
    const readme = exampleTexts().get('README.md') ?? ''
    for (const word of ['preview', 'MIT', 'CC0', 'Apache-2.0', 'catalog lint']) {
      expect(readme).toContain(word)
    }
  })
})
