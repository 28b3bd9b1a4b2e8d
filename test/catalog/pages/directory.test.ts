import { expect, test } from 'bun:test'
import { directoryPage } from '../../../src/catalog/pages/directory.tsx'
import { readDirectoryQuery, selectTools } from '../../../src/catalog/pages/query.ts'
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
  const found = pick('grade=none')
  expect(found.length).toBeGreaterThan(10)
  expect(found.every((tool) => tool.catalog.grade === null)).toBe(true)
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
  for (const sort of ['score', 'name', 'category', 'updated', 'stars']) {
    expect(pick(`sort=${sort}`).toSorted(bySlug)).toEqual(snapshot.tools.toSorted(bySlug))
  }
  const stars = pick('sort=stars').map((tool) => tool.popularity.githubStars ?? -1)
  expect(stars).toEqual(stars.toSorted((a, b) => b - a))
})

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
