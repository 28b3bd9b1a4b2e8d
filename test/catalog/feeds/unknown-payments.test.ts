import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { SEARCH_TOOLS } from '../../../src/catalog/agents/search-tools.ts'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { loadFeedModules } from '../../../src/catalog/feed-modules.ts'
import { buildQuickSite } from '../../../src/catalog/feeds/built-site.ts'
import type { CatalogSnapshot } from '../../../src/catalog/feeds/catalog-snapshot.ts'
import { askListing } from '../../../src/catalog/feeds/filtered-listing.ts'
import { comparePage } from '../../../src/catalog/pages/compare/page.tsx'
import { directoryPage } from '../../../src/catalog/pages/directory.tsx'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { X402_LEVELS, X402_UNKNOWN, x402Word } from '../../../src/catalog/records/x402.ts'
import { aCatalogView } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { howOften } from '../../support/share.ts'

const FEED_MODULES = await loadFeedModules()

const WORDS = [...X402_LEVELS, X402_UNKNOWN]
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 })

/** Records that say these levels of payments per call, in this order; `unknown` says nothing. */
function viewSaying(levels: readonly string[]): CatalogSnapshot {
  const source = generatedCatalog(levels.length)
  const tools = source.tools.map(({ x402: _, ...tool }, i): CatalogSource['tools'][number] => {
    const level = levels[i] ?? X402_UNKNOWN
    if (level === X402_UNKNOWN) return tool
    const endpoints = [{ url: `https://p.example/${tool.slug}`, priceUsd: 0.01, network: '' }]
    const paid = { evidence: 'It answers 402.', source: 'https://p.example', endpoints }
    return { ...tool, x402: level === 'no' ? { level } : { level, ...paid } }
  })
  return aCatalogView({ ...source, tools })
}

const slugs = (tools: ReadonlyArray<{ slug: string }>) => tools.map(({ slug }) => slug).sort()
const saying = (snapshot: CatalogSnapshot, ...wanted: string[]) =>
  slugs(snapshot.tools.filter((tool) => wanted.includes(x402Word(tool))))

function textOf(site: Awaited<ReturnType<typeof buildQuickSite>>, path: string) {
  const document = site.documents.get(path)
  if (!document) throw new Error(`nothing is served at ${path}`)
  return new TextDecoder().decode(Buffer.concat([...document.pieces()]))
}

test('unknown is never no: every reader tells records that say nothing from those that say no', () =>
  fc.assert(
    fc.asyncProperty(words, async (levels) => {
      const snapshot = viewSaying(levels)
      const site = await buildQuickSite(snapshot, FEED_MODULES)
      const json = async (path: string) => JSON.parse(await textOf(site, path))

      const { tools } = (await json('/api/v1/tools.json')) as { tools: ToolDetail[] }
      expect(slugs(tools.filter((tool) => !('x402' in tool)))).toEqual(saying(snapshot, 'unknown'))
      expect(slugs(tools.filter((tool) => tool.x402?.level === 'no'))).toEqual(
        saying(snapshot, 'no'),
      )
      expect((await json('/api/v1/index.json')).counts.x402).toEqual(
        Object.fromEntries(WORDS.map((word) => [word, saying(snapshot, word).length])),
      )

      const paid = saying(snapshot, 'yes', 'partial')
      expect(slugs((await json('/api/v1/x402.json')).tools)).toEqual(paid)
      const discovered: Array<{ metadata: { slug: string } }> = (await json('/discovery/resources'))
        .items
      expect(slugs(discovered.map(({ metadata }) => metadata))).toEqual(paid)
      expect((await textOf(site, '/llms-full.txt')).match(/; x402: /g)?.length ?? 0).toBe(
        paid.length,
      )

      for (const word of WORDS) {
        const query = new URLSearchParams({ x402: word })
        const body = askListing.reply(snapshot, query).body
        expect(slugs(JSON.parse(String(body)).tools)).toEqual(saying(snapshot, word))
        const page = directoryPage(snapshot, query)
        expect(page.match(/class="tool(?: ended)?"/g)?.length ?? 0).toBe(
          saying(snapshot, word).length,
        )
      }
      const search = (x402: boolean) =>
        slugs((SEARCH_TOOLS.answer({ x402, limit: 20 }, snapshot) as { tools: ToolDetail[] }).tools)
      expect(search(true)).toEqual(paid)
      expect(search(false)).toEqual(saying(snapshot, 'no'))

      for (const tool of snapshot.tools) {
        const word = x402Word(tool)
        const markdown = await textOf(site, `/tools/${tool.slug}.md`)
        expect(/^- \*\*x402:/m.test(markdown)).toBe(word !== 'unknown')
        const compare = comparePage(snapshot, new URLSearchParams({ tools: tool.slug }))
        const row =
          /Pay per call(?:<span.*?<\/span>)?<\/th><td[^>]*>(.*?)<\/td>/s.exec(compare)?.[1] ?? ''
        expect(row === 'No').toBe(word === 'no')
      }
    }),
    { numRuns: howOften(4, 12) },
  ))

test('a level nobody knows here is no offer to pay', async () => {
  const snapshot = viewSaying(['yes', 'unknown'])
  const first = snapshot.tools.find(({ x402 }) => x402)
  if (!first?.x402) throw new Error('the first record takes payments')
  first.x402.level = 'maybe'
  const site = await buildQuickSite(snapshot, FEED_MODULES)
  expect(JSON.parse(await textOf(site, '/api/v1/x402.json')).tools).toEqual([])
  expect(JSON.parse(await textOf(site, '/discovery/resources')).items).toEqual([])
})
