import { expect, test } from 'bun:test'
import { compareTools } from '../../../src/catalog/facts/mcp-tools/compare-tools.ts'
import { hashTools } from '../../../src/catalog/facts/mcp-tools/hash-tools.ts'
import { historyPage } from '../../../src/catalog/pages/history/page.tsx'
import type { StoredToolHistory } from '../../../src/catalog/records/history.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { feedWorld } from '../feeds/feed-world.ts'
import { HOSTILE_TEXTS, sampleSnapshot } from '../snapshot-of.ts'

const AT = '2026-06-01T00:00:00.000Z'
const URL = 'https://vendor.example/mcp'

/** A history with `text` wherever vendors write. */
function historyWith(text: string): StoredToolHistory {
  const tool = (pattern: string) => ({
    name: `send ${text}`,
    description: `${pattern} ${text}`,
    inputSchema: { properties: { [`to ${text}`]: { enum: [pattern, text] } } },
  })
  const [before, after] = [hashTools(URL, [tool('a')]), hashTools(URL, [tool('b')])]
  return {
    tools: [],
    toolLists: [
      { at: AT, url: URL, count: 1, changes: [] },
      { at: AT, url: URL, count: 1, changes: compareTools(before, after) },
    ],
    prices: [{ at: AT, item: text, unit: text, before: 1, after: null }],
    versions: [{ at: AT, registry: 'npm', name: text, version: text }],
    status: [{ at: AT, indicator: 'none', summary: text }],
    months: [
      { month: '2026-05', probes: 10, ok: 10 },
      { month: '2026-06', probes: 10, ok: 5 },
    ],
  }
}

function pageWith(history: StoredToolHistory | undefined) {
  const snapshot = sampleSnapshot(1)
  const [tool] = snapshot.tools
  if (!tool) throw new Error('one')
  const stored = history && { history: new Map([[tool.slug, history]]) }
  return historyPage({ ...snapshot, ...stored }, tool)
}

test('what changed is in tables, with values on hover and no script of its own', () => {
  const page = pageWith(historyWith('x'))
  expect(page).toContain('breaks calls')
  expect(page).toContain('<title>2026-06: 50 %</title>')
  expect(page).toContain('$1 → not stated')
})

test('what was not measured is not known, and is no zero', () => {
  const page = pageWith(undefined)
  expect(page).toContain('Not known')
  expect(page).not.toContain('0 %')
})

test.each(HOSTILE_TEXTS.filter((text) => text.isWellFormed()))(
  'text of vendors stays text: %p',
  (text) => {
    const markup = (page: string) =>
      page.match(/<\/?(script|img|svg|iframe|style|a|b|bdi|code)\b[^>]*>/g)?.length
    expect(markup(pageWith(historyWith(text)))).toBe(markup(pageWith(historyWith('x'))))
  },
)

test('a long history makes a page of bounded size', () => {
  const tools = (n: number) =>
    hashTools(
      URL,
      Array.from({ length: 150 }, (_, i) => ({
        name: `tool-${i}`,
        inputSchema: {
          properties: Object.fromEntries([
            [`p${n}`, {}],
            [`q${n * 7}`, {}],
          ]),
        },
      })),
    )
  const toolLists = Array.from({ length: 200 }, (_, n) => ({
    ...{ at: AT, url: URL, count: 150, changes: compareTools(tools(n), tools(n + 1)) },
  }))
  const page = pageWith({ ...historyWith('x'), toolLists })
  expect(Bun.zstdCompressSync(Buffer.from(page)).length).toBeLessThan(20_000)
})

test('page and JSON are served, under new names too', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(2)
  const [tool] = source.tools
  if (!tool) throw new Error('one')
  await world.publish(source)
  const path = `/tools/${tool.slug}`
  expect((await world.get(path.replace('/tools/', '/history/'))).status).toBe(200)
  const { history } = await world.json<{ history: { slug: string } }>(`/api/v1${path}/history.json`)
  expect(history.slug).toBe(tool.slug)
  const renamed = { slug: 'old-name', date: '2026-11-01', reason: 'Renamed.', renamedTo: tool.slug }
  await world.publish({ ...source, removed: [...source.removed, renamed] })
  const moved = await world.get('/history/old-name')
  expect([moved.status, moved.headers.get('location')]).toEqual([
    301,
    `https://catalog.example${path.replace('/tools/', '/history/')}`,
  ])
})

test('a publish that changes a price is on record', async () => {
  await using world = await feedWorld()
  const source = generatedCatalog(1)
  const priced = (usd: number) => ({
    ...source,
    tools: source.tools.map((tool) => ({
      ...tool,
      unitPrices: [{ item: 'Message', unit: '1 message', usd, source: URL }],
    })),
  })
  await world.publish(priced(1))
  await world.publish(priced(2))
  const path = `/api/v1/tools/${source.tools[0]?.slug}/history.json`
  const { history } = await world.json<{ history: StoredToolHistory }>(path)
  expect(history.prices).toMatchObject([{ item: 'Message', before: 1, after: 2 }])
})
