import { expect, test } from 'bun:test'
import { comparePage } from '../../../src/catalog/pages/compare/page.tsx'
import { toolPage } from '../../../src/catalog/pages/tool.tsx'
import { x402Page } from '../../../src/catalog/pages/x402.tsx'
import { endedBy } from '../../../src/catalog/records/grading.ts'
import { aCatalogView } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const MARK = 'Shut down 1 Jan 2026, use Tool 1'

/** A catalog in which the first tool that takes payments was shut down long ago. */
function withEnded() {
  const source = generatedCatalog(24)
  const paid = source.tools.find(({ x402, slug }) => x402?.level === 'yes' && slug !== 'tool-0001')
  const slug = paid?.slug ?? ''
  const shutdown = {
    ...{ id: 'the-end', date: '2026-01-01', kind: 'shutdown' as const, tool: slug },
    ...{ what: 'It ends.', source: 'https://vendor.example/end', announced: '2025-06-01' },
    replacement: 'tool-0001',
  }
  return { slug, snapshot: aCatalogView({ ...source, changes: [shutdown] }) }
}

const { slug, snapshot } = withEnded()
const ended = snapshot.bySlug.get(slug)
if (!ended) throw new Error('the generated catalog has no tool that takes payments')
const address = ended.x402?.endpoints[0]?.url ?? ''
const priceSection = (page: string) => /<section[^>]* id="prices".*?<\/section>/s.exec(page)?.[0]

test('the prices of a tool that was shut down say so, and offer no address to pay', () => {
  const page = toolPage(snapshot, ended)
  const prices = priceSection(page)
  expect(prices).toContain('Last prices')
  expect(prices).toContain(MARK)
  expect(prices).toContain('nothing can be bought any more')
  expect(address).not.toBe('')
  expect(prices).not.toContain(address)
  expect(prices).toContain('Before: ')
  expect(page).not.toContain('Paid request')
})

test('the prices of a tool in use are as before', () => {
  const other = snapshot.tools.find(({ x402, slug: one }) => x402?.level === 'yes' && one !== slug)
  if (!other) throw new Error('there is no other paid tool')
  const prices = priceSection(toolPage(snapshot, other))
  expect(prices).toContain('>Prices</h2>')
  expect(prices).toContain(other.x402?.endpoints[0]?.url ?? '-')
  expect(prices).not.toContain('Shut down')
})

test('the page of paid calls names it as no longer payable, without its price', () => {
  const page = x402Page(snapshot)
  const [payable = '', gone = ''] = page.split('id="ended"')
  expect(payable).not.toContain(`/tools/${slug}#prices`)
  expect(gone).toContain(`/tools/${slug}#prices`)
  expect(gone).toContain(MARK)
  expect(page).not.toContain(address)
  expect(x402Page(aCatalogView(generatedCatalog(3)))).not.toContain('id="ended"')
})

test('a comparison does not say that its calls can be paid', () => {
  const page = comparePage(snapshot, new URLSearchParams({ tools: `${slug},tool-0001` }))
  expect(page).toContain('No longer')
  expect(page).toContain(MARK)
})

test('a model that nobody graded is marked as ended, too, with what to use instead', () => {
  const source = generatedCatalog(24)
  const [first] = source.tools
  if (!first) throw new Error('the generated catalog is empty')
  const model = {
    ...{ slug: 'owl-1', name: 'Owl 1', kind: 'model', category: first.category },
    ...{ summary: 'A model.', auth: 'api-key', pricing: 'usage', where: 'hosted' },
    models: { 'owl-1': {} },
  }
  const shutdown = {
    ...{ id: 'owl-1-end-of-life', date: '2026-01-01', kind: 'shutdown' as const, tool: 'owl-1' },
    ...{ what: 'Owl 1 reaches the end of its life.', source: 'file:products/owls.md' },
    replacement: 'tool-0001',
  }
  const view = aCatalogView({
    ...source,
    tools: [...source.tools, model],
    changes: [shutdown],
  })
  const ended = view.bySlug.get('owl-1')
  if (!ended) throw new Error('the model is not in the catalog')
  expect(ended.graded).toBe(false)
  expect(endedBy(ended.catalog)?.date).toBe('2026-01-01')
  expect(toolPage(view, ended)).toContain(MARK)
})
