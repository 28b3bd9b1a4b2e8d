import { expect, test } from 'bun:test'
import type { CatalogSnapshot } from '../../../src/catalog/feeds/catalog-snapshot.ts'
import { FILTERS, readDirectoryQuery, selectTools } from '../../../src/catalog/pages/query.ts'
import { searchIndex } from '../../../src/catalog/pages/search-index.ts'
import type { SearchDocument } from '../../../src/catalog/records/documents.ts'
import { foldText, matches } from '../../../src/catalog/search/match.ts'
import { searchFields } from '../../../src/catalog/search/search-fields.ts'
import { createSearchIndex } from '../../../src/catalog/search/search-index.ts'
import { aCatalogView, measured } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const snapshot = aCatalogView(
  generatedCatalog(60),
  new Map([['tool-0003', measured('tool-0003', { lastOk: false })]]),
)
const { tools }: SearchDocument = JSON.parse(indexText(snapshot))

function indexText(of: CatalogSnapshot): string {
  const { body } = searchIndex(of)
  if (typeof body !== 'object' || !('pieces' in body)) throw new Error('the index comes in pieces')
  return [...body.pieces()].join('')
}

const index = createSearchIndex(tools.map(searchFields))

/** The slugs that a browser finds in the index. */
function findInIndex(search: string): string[] {
  const { q, picked } = readDirectoryQuery(new URLSearchParams(search), snapshot)
  const words = [...picked].map(([name, values]) => [name, values.map(foldText)] as const)
  return index
    .search(q)
    .flatMap((place) => tools[place] ?? [])
    .flatMap(({ slug, filters }) => (matches(words, filters) ? [slug] : []))
}

test('every search and filter finds in the index what the server finds', () => {
  const values = FILTERS.flatMap((name) =>
    [...new Set(tools.flatMap(({ filters }) => filters[name] ?? []))].map((value) =>
      String(new URLSearchParams({ [name]: value })),
    ),
  )
  const texts = tools.flatMap(({ name, vendor, summary, more }) => [name, vendor, summary, more])
  const searches = texts.map((text) => String(new URLSearchParams({ q: text.slice(0, 60) })))
  const all = [...values, ...searches, 'q=TOOL&kind=mcp,model&pricing=free', 'q=nothing+like+it']
  expect(all.length).toBeGreaterThan(200)
  let empty = 0
  for (const search of all) {
    const query = readDirectoryQuery(new URLSearchParams(search), snapshot)
    const expected = selectTools(snapshot, { ...query, sort: 'best' }).map(({ slug }) => slug)
    expect([search, findInIndex(search)]).toEqual([search, expected])
    if (expected.length === 0) empty++
  }
  expect(empty).toBeLessThan(5)
})

test('the index says of an ended tool how it ended', () => {
  const source = generatedCatalog(3)
  const [one, ...others] = source.tools
  const ended = {
    ...source,
    changes: [
      {
        ...{ id: 'end', tool: 'tool-0000', kind: 'shutdown', date: '2026-01-05' },
        ...{ source: 'https://vendor.example/end', what: 'It ends.' },
      },
    ],
  } as typeof source
  const view = aCatalogView({
    ...ended,
    tools: [one, ...others].filter((tool) => tool !== undefined),
  })
  const rows: SearchDocument = JSON.parse(indexText(view))
  expect(rows.tools.filter((row) => row.ended).map(({ slug, cost }) => [slug, cost])).toEqual([
    ['tool-0000', 'Shut down 5 Jan 2026'],
  ])
})
