import { expect, test } from 'bun:test'
import { directoryPage } from '../../../src/catalog/pages/directory.tsx'
import {
  DIRECTORY_SORTS,
  readDirectoryQuery,
  selectTools,
} from '../../../src/catalog/pages/query.ts'
import { aCatalogView } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const snapshot = aCatalogView(generatedCatalog(120))
const pick = (search: string) =>
  selectTools(snapshot, readDirectoryQuery(new URLSearchParams(search), snapshot))
const page = (search: string) => directoryPage(snapshot, new URLSearchParams(search))
const rows = (html: string) => html.match(/class="tool(?: ended)?"/g)?.length ?? 0

test('what is ticked under one name are alternatives, and names narrow each other', () => {
  const two = pick('category=messaging&category=storage')
  expect(new Set(two.map((tool) => tool.category))).toEqual(new Set(['messaging', 'storage']))
  expect(pick('category=messaging,storage')).toEqual(two)
  const paid = pick('category=messaging,storage&x402=yes')
  expect(paid.length).toBeGreaterThan(0)
  expect(paid.length).toBeLessThan(two.length)
  expect(paid.every((tool) => tool.x402?.level === 'yes')).toBe(true)
})

test('a search finds words in names and capabilities, whatever their case and marks', () => {
  expect(pick('q=TOOL 17').map((tool) => tool.slug)).toContain('tool-0017')
  expect(pick('q=t%C3%B3ol+17')).toEqual(pick('q=tool+17'))
  expect(pick('q=nothing-like-this')).toEqual([])
})

test('tools without a grade can be asked for, and are never given one', () => {
  const tools = pick('grade=none')
  expect(tools.length).toBeGreaterThan(10)
  expect(tools.every((tool) => tool.catalog.grade === null)).toBe(true)
  expect(page('grade=none')).not.toMatch(/class="grade g-/)
})

test('what an address asks for that is not known is left out, and nothing breaks', () => {
  expect(pick('colour=red&sort=weight&page=-4')).toEqual(pick(''))
  expect(page(`q=${'x'.repeat(3000)}&page=99999999999999999999`)).toContain('No tool matches')
  expect(page('category=%00,%E2%80%AE,<script>')).not.toContain('<script>')
})

test('a long list is shown page by page, without missing any', () => {
  const seen = [1, 2, 3].flatMap((n) =>
    [...page(`page=${n}`).matchAll(/class="tool-name" href="\/tools\/([^"]+)"/g)].map(([, s]) => s),
  )
  expect(seen).toEqual(snapshot.tools.map(({ slug }) => slug))
  expect(rows(page('page=99'))).toBe(20)
  expect(page('page=2&x402=no&x402=unknown')).toContain('href="/tools?x402=no,unknown&amp;page=3"')
})

test('each sort is one of all tools', () => {
  for (const sort of DIRECTORY_SORTS) {
    expect(pick(`sort=${sort}`).toSorted(bySlug)).toEqual(snapshot.tools.toSorted(bySlug))
  }
  const stars = pick('sort=stars').map((tool) => tool.popularity.githubStars ?? -1)
  expect(stars).toEqual(stars.toSorted((a, b) => b - a))
})

test('free tools come first, amounts are compared within a unit, and unknown comes last', () => {
  const [free, cheap, dear, other, unknown] = snapshot.tools as [Tool, Tool, Tool, Tool, Tool]
  const priced = (tool: Tool, pricing: string, unit?: string, usd = 0): Tool => ({
    ...tool,
    pricing,
    unitPrices: unit === undefined ? [] : [{ item: 'x', unit, usd, source: 'https://a.example' }],
  })
  const sorted = [
    priced(unknown, 'unknown'),
    priced(other, 'usage', '1 month', 1),
    priced(dear, 'usage', '1 call', 3),
    priced(cheap, 'usage', '1 call', 2),
    priced(free, 'free'),
  ]
  const query = readDirectoryQuery(new URLSearchParams('sort=price'), snapshot)
  const slugs = selectTools({ ...snapshot, tools: sorted }, query).map(({ slug }) => slug)
  expect(slugs).toEqual([free, cheap, dear, other, unknown].map(({ slug }) => slug))
})

test('a row has the facts that people choose by, and says what is not known', () => {
  const [tool] = snapshot.tools as [Tool]
  const live = {
    ...tool.live,
    models: {
      small: { contextTokens: 8_000, checkedAt: snapshot.generatedAt },
      large: { contextTokens: 200_000, checkedAt: snapshot.generatedAt },
    },
  }
  const facts = { transports: ['stdio', 'streamable-http'], auth: 'unknown', where: 'both' }
  const html = directoryPage({ ...snapshot, tools: [{ ...tool, ...facts, live }] })
  for (const words of ['200k tokens of context', 'stdio, Streamable HTTP', 'Sign-in not known'])
    expect(html).toContain(`<li dir="auto">${words}</li>`)
  expect(html).toContain('<li dir="auto">Library and hosted</li>')
})

type Tool = (typeof snapshot.tools)[number]

test('a choice says how many tools it would leave', () => {
  const html = page('category=messaging')
  const [, count] =
    html.match(/value="storage"\/><span>storage<\/span><span class="count">(\d+)/) ?? []
  expect(Number(count)).toBe(pick('category=storage').length)
})

test('an empty catalog says what will stand there, and the one next step', () => {
  const empty = aCatalogView({ ...generatedCatalog(1), tools: [], reviews: [], changes: [] })
  const html = directoryPage(empty)
  expect(html).toContain('No tools yet')
  expect(html).toContain('beckon catalog init')
})

function bySlug(a: { slug: string }, b: { slug: string }): number {
  return a.slug < b.slug ? -1 : 1
}
