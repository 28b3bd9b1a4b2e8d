import { expect, test } from 'bun:test'
import ICAL from 'ical.js'
import { loadFeedModules } from '../../../../src/catalog/feed-modules.ts'
import { buildSite } from '../../../../src/catalog/feeds/built-site.ts'
import type { CatalogSnapshot } from '../../../../src/catalog/feeds/catalog-snapshot.ts'
import { createServe } from '../../../../src/catalog/feeds/serve.ts'
import { fakeClock } from '../../../support/fake-clock.ts'
import { BASE, changeItem, sampleSnapshot } from '../../snapshot-of.ts'

const modules = await loadFeedModules()
const snapshot = sampleSnapshot(12)

async function serving(own: Partial<CatalogSnapshot> = {}) {
  const site = await buildSite({ ...snapshot, ...own }, modules)
  const serve = createServe({
    ...{ clock: fakeClock(), modules, limited: false },
    ...{ site: () => site, ready: async () => site, addressOf: () => '192.0.2.1' },
    report: (error) => {
      throw error
    },
  })
  return async (path: string, init: RequestInit = {}) => {
    const response = await serve(new Request(`${BASE}${path}`, init))
    if (!response) throw new Error(`nobody answers ${path}`)
    return response
  }
}

const get = await serving()

async function eventsAt(ask: typeof get, path: string): Promise<string[]> {
  const response = await ask(path)
  expect([path, response.status]).toEqual([path, 200])
  const calendar = new ICAL.Component(ICAL.parse(await response.text()))
  return calendar
    .getAllSubcomponents('vevent')
    .map((event) => String(event.getFirstPropertyValue('summary')))
}

test.each([
  ['/tools/tool-0001.md', 'text/markdown; charset=utf-8'],
  ['/tools/tool-0001.min.md', 'text/markdown; charset=utf-8'],
  ['/tools/tool-0001.atom', 'application/atom+xml; charset=utf-8'],
  ['/changes.atom', 'application/atom+xml; charset=utf-8'],
  ['/changes.feed.json', 'application/feed+json; charset=utf-8'],
  ['/sunsets.ics', 'text/calendar; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms-full.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  [
    '/.well-known/api-catalog',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ],
])('%s is served as %s, and not again when it is known', async (path, type) => {
  const response = await get(path)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  expect((await response.text()).length).toBeGreaterThan(10)
  const etag = response.headers.get('etag') ?? ''
  expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const later = await (await serving())(path)
  expect(later.headers.get('etag')).toBe(etag)
})

test('a twin says which page it is a twin of, and the API catalog that it is one', async () => {
  const twin = await get('/tools/tool-0001.md')
  expect(twin.headers.get('link')).toBe(`<${BASE}/tools/tool-0001>; rel="canonical"`)
  const catalog = await get('/.well-known/api-catalog', { method: 'HEAD' })
  expect(catalog.headers.get('link')).toBe('</.well-known/api-catalog>; rel="api-catalog"')
})

test('security.txt is there once there is a contact', async () => {
  expect((await get('/.well-known/security.txt')).status).toBe(404)
  const settings = { ...snapshot.settings, contact: 'https://catalog.example/report' }
  const response = await (await serving({ settings }))('/.well-known/security.txt')
  expect(await response.text()).toContain('Contact: https://catalog.example/report\n')
})

const changes = [
  changeItem({ id: 'a', name: 'A', tool: 'tool-0000' }),
  changeItem({ id: 'b', name: 'B', tool: 'tool-0001', kind: 'price' }),
  changeItem({ id: 'c', name: 'C', tool: 'tool-old-name', kind: 'rename' }),
]

test('the calendar with parameters has what fits', async () => {
  const ask = await serving({ changes })
  expect(await eventsAt(ask, '/sunsets.ics?tool=tool-0001')).toEqual([
    'B: The interface ends, 31 Dec 2026',
  ])
  expect(await eventsAt(ask, '/sunsets.ics?kind=shutdown,price')).toHaveLength(2)
  expect(await eventsAt(ask, '/sunsets.ics?kind=shutdown&tool=tool-0001')).toEqual([])
  expect(await eventsAt(ask, '/sunsets.ics?category=storage')).toEqual([
    'B: The interface ends, 31 Dec 2026',
  ])
  expect(await eventsAt(ask, '/sunsets.ics?tool=&kind=&category=&nocache=1')).toHaveLength(3)
})

test('the calendar with parameters follows a tool that was renamed, by its old name and its new one', async () => {
  const ask = await serving({ changes })
  for (const slug of ['tool-0000', 'tool-old-name']) {
    const names = await eventsAt(ask, `/sunsets.ics?tool=${slug}`)
    expect(names).toEqual([
      'A: The interface ends, 31 Dec 2026',
      'C: The interface ends, 31 Dec 2026',
    ])
  }
  expect(await (await ask('/tools/tool-0000.atom')).text()).toContain('C: The interface ends')
  expect(await (await ask('/tools/tool-0000.md')).text()).toContain('(rename)')
})

test.each(['tool=nothing', 'kind=oops', 'category=oops', 'tool=tool-0000,%3Cscript%3E'])(
  'the calendar with parameters refuses %s, as a calendar that would stay empty for ever',
  async (query) => {
    const response = await get(`/sunsets.ics?${query}`)
    expect(response.status).toBe(400)
    expect(ICAL.parse(await response.text())).toBeDefined()
  },
)

test('what is not there is not found in the type that was asked for', async () => {
  const twin = await get('/tools/nothing.md')
  expect([twin.status, twin.headers.get('content-type')]).toEqual([
    404,
    expect.stringMatching('markdown'),
  ])
  expect((await get('/tools/tool-old-name.md')).headers.get('location')).toBe(
    `${BASE}/tools/tool-0000.md`,
  )
  expect((await get('/tools/tool-gone.min.md')).status).toBe(410)
})
