import { expect, test } from 'bun:test'
import { comparePage } from '../../../src/catalog/pages/compare/page.tsx'
import { toolPage } from '../../../src/catalog/pages/tool.tsx'
import { aCatalogView, measured } from '../../support/catalog-pages.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'

const live = new Map([['tool-0001', measured('tool-0001')]])
const snapshot = aCatalogView(generatedCatalog(48), live)

function toolOf(slug: string) {
  const tool = snapshot.bySlug.get(slug)
  if (!tool) throw new Error(`no ${slug}`)
  return tool
}
const page = (slug: string) => toolPage(snapshot, toolOf(slug))

test('the table shows the sum that is served, to the last digit', () => {
  const html = page('tool-0001')
  for (const { effectiveWeight, points, score } of toolOf('tool-0001').breakdown) {
    if (score === null) continue
    expect(html).toContain(`<span data-share="true">${effectiveWeight.toFixed(2)}</span>`)
    expect(html).toContain(`data-points="true">${points.toFixed(3)}<`)
  }
  expect(html).toContain(`data-published="${toolOf('tool-0001').catalog.score?.toFixed(1)}"`)
})

test('without a grade there is none, and what is missing is named', () => {
  const html = page('tool-0002')
  expect(toolOf('tool-0002').graded).toBe(false)
  expect(html).toContain('Not graded yet')
  expect(html).toContain('60 % of the weights')
  expect(html).not.toContain('data-weights')
  expect(html).not.toContain('ratingValue')
})

test('what was not measured is said to be so; what was has its numbers in words', () => {
  expect(page('tool-0000')).toContain('Not known: it has no address')
  const html = page('tool-0001')
  for (const words of ['99.95 %', '132 ms', '1,840 ms', '2,876']) expect(html).toContain(words)
})

test('a deduction shows its source and the day on which it ends', () => {
  const source = generatedCatalog(4)
  const [first] = source.tools
  if (!first) throw new Error('no tool')
  first.negatives = [
    {
      ...{ code: 'breach', points: -5, reason: 'Keys were public.' },
      ...{ source: 'https://news.example/1', date: '2026-02-01', expires: '2027-02-01' },
    },
  ]
  const other = aCatalogView(source)
  const tool = other.bySlug.get(first.slug)
  if (!tool) throw new Error('not there')
  const html = toolPage(other, tool)
  expect(html).toContain('−5')
  expect(html).toContain('href="https://news.example/1"')
  expect(html).toContain('>1 Feb 2027</time>')
})

test('a day of the future stands before today, one of the past after it', () => {
  const [, html = ''] = page('tool-0000').split('id="changes"')
  const at = (words: string) => html.indexOf(words)
  expect(at('<b>Today</b>')).toBeGreaterThan(0)
  const dates = snapshot.changes.filter(({ tool }) => tool === 'tool-0000').map(({ date }) => date)
  expect(dates.length).toBeGreaterThan(0)
  for (const date of dates) {
    expect(at(`datetime="${date}"`) < at('<b>Today</b>')).toBe(date > snapshot.today)
  }
})

test('up to four tools stand beside each other, and what is not there is named', () => {
  const compare = (tools: string) => comparePage(snapshot, new URLSearchParams({ tools }))
  const columns = (html: string) => html.match(/scope="col"/g)?.length ?? 0
  expect(columns(compare('tool-0000,tool-0001'))).toBe(2)
  expect(columns(compare('tool-0000,tool-0001,tool-0002,tool-0003,tool-0004'))).toBe(4)
  expect(columns(compare('tool-0000,tool-0000'))).toBe(1)
  const html = compare('tool-0000,<b>x</b>')
  expect(html).toContain('Not in this catalog')
  expect(html).not.toContain('<b>x</b>')
  expect(compare('')).toContain('Nothing to compare yet')
  const repeated = new URLSearchParams('tools=tool-0000&tools=tool-0001')
  expect(columns(comparePage(snapshot, repeated))).toBe(2)
})

test('rows that differ are marked, the best value of a unit is bold, and unknown is neither', () => {
  const [first, second, third] = ['tool-0000', 'tool-0001', 'tool-0002'].map(toolOf) as [T, T, T]
  const price = (tool: T, unit: string, usd: number): T => ({
    ...tool,
    ...{ auth: 'oauth', license: 'MIT' },
    unitPrices: [{ item: 'call', unit, usd, source: 'https://a.example' }],
  })
  const table = (...tools: T[]) =>
    comparePage(
      { ...snapshot, tools, bySlug: new Map(tools.map((tool) => [tool.slug, tool])) },
      new URLSearchParams({ tools: tools.map(({ slug }) => slug).join(',') }),
    )
  const row = (html: string, label: string) =>
    html.match(new RegExp(`<tr[^>]*><th scope="row">${label}.*?</tr>`))?.[0] ?? ''
  const cheap = table(price(first, '1 call', 2), price(second, '1 call', 1), {
    ...third,
    unitPrices: [],
  })
  expect(row(cheap, 'Unit prices')).toMatch(
    /^<tr class="unequal">.*\$2<.*class="best".*\$1<.*Not known/,
  )
  expect(row(cheap, 'Unit prices').match(/class="best"/g)).toHaveLength(1)
  const units = table(price(first, '1 call', 2), price(second, '1 month', 1))
  expect(row(units, 'Unit prices')).not.toContain('class="best"')
  expect(row(units, 'Licence')).toStartWith('<tr><th')
  // One value and one that is not known do not differ.
  const half = table(price(first, '1 call', 2), { ...second, license: '' })
  expect(row(half, 'Licence')).toStartWith('<tr><th')
})

test('any tool is added by a search, and equal rows can be left out', () => {
  const compare = (query: string) => comparePage(snapshot, new URLSearchParams(query))
  const page = compare('tools=tool-0000&add=tool+17')
  expect(page).toContain('href="/compare?tools=tool-0000,tool-0017"')
  expect(page).toContain('name="tools" value="tool-0000"')
  expect(compare('tools=tool-0000&add=nothing-like-this')).toContain('No other tool matches this')
  const rows = (html: string) => html.match(/<th scope="row"/g)?.length ?? 0
  const all = compare('tools=tool-0000,tool-0001')
  const some = compare('tools=tool-0000,tool-0001&only=differences')
  expect(rows(some)).toBe(all.match(/<tr class="unequal"/g)?.length ?? -1)
  expect(rows(some)).toBeLessThan(rows(all))
})

test('a price that changed is drawn in steps, with a gap while it was not known', () => {
  const tool = snapshot.tools.find(({ x402 }) => (x402?.endpoints.length ?? 0) > 0) as T
  const url = tool.x402?.endpoints[0]?.url ?? ''
  const coin = { network: 'eip155:8453', asset: '0xa' }
  const seen = (priceUsd: string | null, day: string) => ({
    ...{ ...coin, priceUsd },
    since: `2026-11-${day}T00:00:00.000Z`,
  })
  const check = {
    ...{ url, checkedAt: '2026-11-21T00:00:00.000Z', changedAt: '2026-11-21T00:00:00.000Z' },
    ...{ answer: 'terms', status: 402, method: 'GET' as const, version: 1, offers: [] },
  }
  const show = (prices: Array<ReturnType<typeof seen>>) =>
    toolPage(snapshot, { ...tool, live: { ...tool.live, x402: [{ ...check, prices }] } })
  expect(show([seen('0.01', '01')])).not.toContain('steps-line')
  const html = show([seen('0.01', '01'), seen('0.02', '06'), seen(null, '11'), seen('0.01', '16')])
  // A line for each known price, and none for the days without one, with the same on hover.
  const lines = [...html.matchAll(/<path d="(M\d+ \d+H\d+)"/g)].map(([, line]) => line)
  expect(lines).toEqual(['M4 24H77', 'M77 4H150', 'M223 24H296'])
  expect(html).toContain('<title>from 11 Nov 2026: not known in dollars</title>')
  for (const words of ['4 prices since 1 Nov 2026', 'not known in dollars', '<b>$0.02</b>'])
    expect(html).toContain(words)
})

type T = ReturnType<typeof toolOf>

test('a heading stands where there is something under it', () => {
  const tool = toolOf('tool-0000')
  expect(page('tool-0000')).toContain('Who stands behind it')
  const provenance = {
    ...{ legalEntity: '', domain: '', domainRegistered: '', endpointOnVendorDomain: null },
    ...{ terms: '', privacy: '', statusPage: '', changelog: '', securityTxt: '' },
    ...{ score: null, checked: '', checks: [], notes: [] },
  }
  const bare = toolPage(snapshot, { ...tool, provenance } as never)
  expect(bare).not.toContain('Who stands behind it')
})

test('the strip has as many days as are served, and one probe is one', () => {
  const days = Array.from({ length: 30 }, (_, i) => ({
    date: new Date(Date.parse(snapshot.today) - (29 - i) * 86_400_000).toISOString().slice(0, 10),
    ...{ probes: 1, ok: 1 },
  }))
  const { live } = toolOf('tool-0001')
  const probe = { ...live.probe, days, samples30d: 1, samples24h: 1 }
  const html = toolPage(snapshot, { ...toolOf('tool-0001'), live: { ...live, probe } } as never)
  expect(html).toContain('Uptime of 30 days')
  expect(html.match(/<rect class="up"/g)).toHaveLength(30)
  expect(html).not.toContain('<rect class="none"')
  expect(html).toContain('(1 probe)')
  expect(html).toContain('(1 probe in 24 hours)')
})
