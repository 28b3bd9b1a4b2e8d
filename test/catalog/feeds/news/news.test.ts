import { expect, test } from 'bun:test'
import { parseAtomFeed } from 'feedsmith'
import type { CatalogSnapshot } from '../../../../src/catalog/feeds/catalog-snapshot.ts'
import { NEWS_FEEDS } from '../../../../src/catalog/feeds/news/module.ts'
import { latestNews, toolNews } from '../../../../src/catalog/feeds/news/news-of.ts'
import type { ChangeItem } from '../../../../src/catalog/records/change.ts'
import type { StoredToolHistory } from '../../../../src/catalog/records/history.ts'
import { changeItem, sampleSnapshot } from '../../snapshot-of.ts'

const AT = (day: string) => `${day}T08:00:00.000Z`
const LISTED = 'https://vendor.example/mcp'
const NOTHING: StoredToolHistory = {
  ...{ tools: [], toolLists: [], prices: [], versions: [], status: [], months: [] },
}

function withHistory(own: Partial<StoredToolHistory>, changes: ChangeItem[] = []): CatalogSnapshot {
  const snapshot = { ...sampleSnapshot(1), changes }
  const history = new Map([['tool-0000', { ...NOTHING, ...own }]])
  return { ...snapshot, history }
}

function newsOf(snapshot: CatalogSnapshot) {
  const [tool] = snapshot.tools
  if (!tool) throw new Error('one')
  return toolNews({ ...snapshot }, tool)
}

function onDay(today: string, own: Partial<ChangeItem> = {}) {
  const [item] = newsOf({ ...withHistory({}, [changeItem(own)]), today })
  if (!item) throw new Error('no news')
  return item
}

test('an end is told when it is announced, as it comes near, and when it came', () => {
  const end = { updated: '2026-06-01', date: '2026-12-31' }
  const days = ['2026-06-01', '2026-10-01', '2026-10-02', '2026-12-01', '2026-12-24', '2026-12-31']
  const items = days.map((today) => onDay(today, end))
  expect(items.map(({ kind }) => kind)).toEqual([
    ...['deprecated', 'deprecated', 'ends', 'ends', 'ends', 'ended'],
  ])
  expect(new Set(items.map(({ subject }) => subject)).size).toBe(1)
  expect(new Set(items.map(({ id }) => id)).size).toBe(5)
  expect(items.map(({ at }) => at.slice(0, 10))).toEqual([
    ...['2026-06-01', '2026-06-01', '2026-10-02', '2026-12-01', '2026-12-24', '2026-12-31'],
  ])
})

test('an end announced late, one that is withdrawn, and one for a whole month', () => {
  expect(onDay('2026-11-21', { updated: '2026-11-20', date: '2026-12-01' }).kind).toBe('ends')
  const withdrawn = onDay('2026-11-21', { status: 'withdrawn' })
  expect(withdrawn).toMatchObject({ kind: 'ends', title: expect.stringContaining('Withdrawn') })
  const month = { date: '2026-12-01', datePrecision: 'month' }
  expect(onDay('2026-12-30', month).kind).toBe('ends')
  expect(onDay('2026-12-31', month).kind).toBe('ended')
})

test('a text that is only written better is no news', () => {
  const [first, later] = [
    onDay('2026-11-21'),
    onDay('2026-11-21', { what: 'It ends.', sequence: 1 }),
  ]
  expect(later.id).toBe(first.id)
})

test('a changed list of tools says whether it breaks, or that this is not known', () => {
  const change = (breaking: boolean | null) => ({
    ...{ tool: 'send', kind: 'changed', breaking, parts: [] },
  })
  const list = (day: string, changes: ReturnType<typeof change>[]) => ({
    ...{ at: AT(day), url: LISTED, count: 1, changes },
  })
  const toolLists = [
    list('2026-11-01', []),
    list('2026-11-02', [change(false), change(true)]),
    list('2026-11-03', [change(null), change(false)]),
    list('2026-11-04', [change(false)]),
  ]
  const news = newsOf(withHistory({ toolLists }))
  expect(news.map(({ kind, breaking }) => [kind, breaking])).toEqual([
    ['tools', true],
    ['tools', null],
    ['tools', false],
  ])
})

test('what is not known is no change, and does not hide one', () => {
  const price = (day: string, before: number | null, after: number | null) => ({
    ...{ at: AT(day), item: 'mail', unit: 'message', before, after },
  })
  const prices = [price('2026-11-01', 1, null), price('2026-11-02', null, 2)]
  const version = (day: string, version: string) => ({
    ...{ at: AT(day), registry: 'npm', name: 'acme', version },
  })
  const versions = [version('2026-11-01', '1.0.0'), version('2026-11-03', '1.0.1')]
  const news = newsOf(withHistory({ prices, versions }))
  expect(news.map(({ title }) => title.replace(/^[^:]*: /, ''))).toEqual([
    'mail: $2 per message instead of $1',
    'npm acme 1.0.1 instead of 1.0.0',
  ])
})

test('a price that was first stated is no change of it', () => {
  const prices = [{ at: AT('2026-11-01'), item: 'a', unit: 'b', before: null, after: 1 }]
  expect(newsOf(withHistory({ prices }))).toEqual([])
})

test('the document has the last sixty days, the newest of each subject first', () => {
  const version = (day: string, version: string) => ({
    ...{ at: AT(day), registry: 'npm', name: 'acme', version },
  })
  const versions = ['2026-01-01', '2026-02-01', '2026-11-01', '2026-11-02'].map((day, at) =>
    version(day, `1.0.${at}`),
  )
  const changes = [changeItem({ updated: '2026-11-20' })]
  const { items } = latestNews(withHistory({ versions }, changes))
  expect(items.map(({ kind, at }) => [kind, at.slice(0, 10)])).toEqual([
    ['ends', '2026-11-20'],
    ['version', '2026-11-02'],
  ])
})

test('a rename is no news of what was there before', () => {
  const versions = ['1.0.0', '1.0.1'].map((version, at) => ({
    ...{ at: AT(`2026-11-0${at + 1}`), registry: 'npm', name: 'acme', version },
  }))
  const snapshot = withHistory({ versions })
  const renamed = {
    ...snapshot,
    removed: [{ slug: 'tool-before', date: '2026-11-03', reason: 'r', renamedTo: 'tool-0000' }],
  }
  const before = snapshot.tools.map((tool) => ({ ...tool, slug: 'tool-before' }))
  const history = new Map([['tool-before', snapshot.history?.get('tool-0000') ?? NOTHING]])
  const earlier = newsOf({ ...snapshot, tools: before, history })
  expect(newsOf(renamed).map(({ id }) => id)).toEqual(earlier.map(({ id }) => id))
  expect(earlier).toHaveLength(1)
})

test('a tool, its category and its capabilities have a feed of the same news', () => {
  const versions = ['1.0.0', '1.0.1'].map((version, at) => ({
    ...{ at: AT(`2026-11-0${at + 2}`), registry: 'npm', name: 'acme <b>', version },
  }))
  const snapshot = withHistory({ versions }, [changeItem({ updated: '2026-11-20' })])
  const [tool] = snapshot.tools
  const documents = new Map(
    [...NEWS_FEEDS.build(snapshot)].map((one) => [one?.path, one?.body] as const),
  )
  const paths = [
    '/tools/tool-0000.atom',
    `/categories/${tool?.category}.atom`,
    `/capabilities/${tool?.capabilities[0]}.atom`,
  ]
  for (const path of paths) {
    const body = documents.get(path)
    if (typeof body !== 'function') throw new Error(path)
    const feed = parseAtomFeed(String(body()))
    expect(feed.updated).toBe('2026-11-20T00:00:00Z')
    expect(feed.entries?.map(({ updated }) => updated)).toEqual([
      '2026-11-20T00:00:00Z',
      AT('2026-11-03'),
    ])
  }
})
