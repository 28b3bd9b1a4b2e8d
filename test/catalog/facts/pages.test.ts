import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Findings } from '../../../src/catalog/facts/fact.ts'
import { pagesProbe, watchedPages } from '../../../src/catalog/facts/pages/fact.ts'
import { HOSTILE, localOutside, type PlayedSite, playedSite, towards } from './played-site.ts'
import { aSubject, DAY_MS, NOW, visibleFacts } from './subjects.ts'

let site: PlayedSite
const outside = localOutside()

beforeEach(async () => {
  site = await playedSite()
})
afterEach(async () => {
  await site[Symbol.asyncDispose]()
})

/** `{visits}` is another number each time. */
const html = (path: string, text: string) =>
  site.on(path, () => {
    const body = `<main>${text.replace('{visits}', String(site.paths.length))}</main>`
    return new Response(body, { headers: { 'content-type': 'text/html' } })
  })
const terms = () => `${site.base}/terms`

/** One fetch a day of the page of terms, each with what it says; the last findings and all drafts. */
async function days(...texts: Array<string | number>) {
  let last: Findings = { facts: [] }
  let facts: Findings['facts'] = []
  const drafts: NonNullable<Findings['drafts']> = []
  for (const [day, text] of texts.entries()) {
    if (typeof text === 'string') html('/terms', text)
    else site.on('/terms', () => new Response('', { status: text }))
    const subject = aSubject({}, { vendor: { terms: terms() }, facts })
    last = await pagesProbe().run(outside, subject, NOW + day * DAY_MS)
    if (last.facts.length > 0) facts = last.facts
    drafts.push(...(last.drafts ?? []))
  }
  return { last, drafts, page: visibleFacts({ facts })[`page ${terms()}`] }
}

test('a page is known from the first day on, and stays the same while it says the same', async () => {
  const { page, drafts } = await days('Pay. Seen 2026-11-21 08:00', 'Pay. Seen 2026-11-22 09:00')
  expect(page).toMatchObject({ kind: 'terms', status: 200 })
  expect(page).toHaveProperty('fingerprint', expect.stringMatching(/^[0-9a-f]{64}$/))
  expect(drafts).toEqual([])
  // Twice on the first day, once on each other.
  expect(site.paths).toHaveLength(3)
})

test('a page has changed when two fetches agree, and drafts that once, with address and days', async () => {
  const before = await days('Pay.')
  const once = await days('Pay.', 'Pay twice.')
  expect(once).toMatchObject({ drafts: [], page: before.page as object })
  const { drafts, page } = await days('Pay.', 'Pay.', 'Pay twice.', 'Pay twice.', 'Pay twice.')
  expect(page).not.toEqual(before.page)
  expect(drafts).toEqual([
    {
      id: expect.stringMatching(/^a-vendor-terms-[0-9a-f]{12}$/),
      kind: 'notice',
      what: `The page of terms changed between 2026-11-22 and 2026-11-24: ${terms()}`,
      source: terms(),
    },
  ])
})

test('one odd fetch, or a page that goes back and forth, is no change', async () => {
  const first = await days('Pay.')
  expect(await days('Pay.', 'Oops', 'Pay.', 'Oops again', 'Pay.')).toMatchObject({
    ...{ drafts: [], page: first.page as object },
  })
  const turns = ['B', 'B', 'A', 'A', 'B', 'B', 'A', 'A']
  expect((await days('A', ...turns)).drafts).toHaveLength(1)
})

test('a page that says something else each time is unstable, and never drafts before it calms', async () => {
  const odd = Array.from({ length: 12 }, (_, i) => `Visitor number ${i}`)
  const { page, drafts } = await days('Pay.', ...odd)
  expect(drafts).toEqual([])
  expect(page).toEqual((await days('Pay.')).page)
  const restless = await days(...odd.map(() => '{visits}'))
  expect(restless.page).toEqual({ kind: 'terms', status: 200, fingerprint: '' })
  // What it changes to while it is restless is nothing to tell of.
  expect((await days(...odd, 'New', 'New')).drafts).toEqual([])
  const calm = Array.from({ length: 6 }, () => 'New')
  const calmed = await days(...odd, ...calm, 'Newer', 'Newer')
  expect(calmed.drafts).toHaveLength(1)
})

test('a page that was taken away is a change, one that fails for a while is none', async () => {
  const { page, drafts } = await days('Pay.', 404, 404)
  expect(page).toEqual({ kind: 'terms', status: 404, fingerprint: '' })
  expect(drafts).toMatchObject([
    { what: `The page of terms was taken away between 2026-11-21 and 2026-11-23: ${terms()}` },
  ])
  expect(await days('Pay.', 503, 503, 429, 403)).toMatchObject({
    ...{ drafts: [], last: { facts: [] }, page: (await days('Pay.')).page as object },
  })
})

test('prices draft a change of price; privacy and changelog draft nothing', async () => {
  const subject = (facts: Findings['facts']) =>
    aSubject(
      {
        changelog: `${site.base}/log`,
        unitPrices: [{ item: 'mail', unit: 'one', usd: 1, source: `${site.base}/pricing#mail` }],
      },
      { vendor: { privacy: `${site.base}/privacy` }, facts },
    )
  let facts: Findings['facts'] = []
  const drafts: unknown[] = []
  for (const [day, text] of ['A', 'B', 'B'].entries()) {
    for (const path of ['/log', '/privacy', '/pricing']) html(path, text)
    const findings = await pagesProbe().run(outside, subject(facts), NOW + day * DAY_MS)
    facts = findings.facts
    drafts.push(...(findings.drafts ?? []))
  }
  expect(drafts).toMatchObject([{ kind: 'price', source: `${site.base}/pricing` }])
  expect(
    Object.values(visibleFacts({ facts })).map((value) => (value as { kind: string }).kind),
  ).toEqual([...['pricing', 'privacy', 'changelog']])
})

test('tools of one vendor read its terms once a day, and draft the same', async () => {
  const probe = pagesProbe()
  const facts: Record<string, Findings['facts']> = { a: [], b: [] }
  const ids: string[] = []
  for (const [day, text] of ['A', 'B', 'B'].entries()) {
    html('/terms', text)
    for (const slug of ['a', 'b']) {
      const subject = aSubject({ slug }, { vendor: { terms: terms() }, facts: facts[slug] ?? [] })
      const findings = await probe.run(outside, subject, NOW + day * DAY_MS)
      facts[slug] = findings.facts
      ids.push(...(findings.drafts ?? []).map(({ id }) => id))
    }
  }
  expect(site.paths).toHaveLength(4)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('an id fits a change, whatever the vendor is called', async () => {
  html('/terms', 'A')
  let facts: Findings['facts'] = []
  for (const [day, text] of ['A', 'B', 'B'].entries()) {
    html('/terms', text)
    const vendor = { id: 'v'.repeat(64), terms: terms() }
    const findings = await pagesProbe().run(
      ...([outside, aSubject({}, { vendor, facts }), NOW + day * DAY_MS] as const),
    )
    facts = findings.facts
    for (const { id } of findings.drafts ?? []) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(id.length).toBeLessThanOrEqual(64)
    }
    expect(findings.drafts?.length ?? 0).toBe(day === 2 ? 1 : 0)
  }
})

test('what is watched is each address once, at most three of prices, and only web addresses', () => {
  const source = (i: number) => ({
    item: 'x',
    unit: 'y',
    usd: 1,
    source: `https://a.example/${i}`,
  })
  const tool = {
    ...aSubject().tool,
    changelog: 'https://a.example/terms#news',
    unitPrices: [source(1), source(1), source(2)],
    sources: [
      { url: 'https://a.example/3#plans', read: '2026-11-01', facts: ['pricingNotes'] },
      { url: 'https://a.example/4', read: '2026-11-01', facts: ['priceSummary'] },
      { url: 'https://a.example/5', read: '2026-11-01', facts: ['auth'] },
    ],
  }
  const vendor = { id: 'v', name: 'V', url: 'x', terms: 'https://a.example/terms' }
  expect(watchedPages({ tool, vendor }).map(({ url, kind }) => `${kind} ${url}`)).toEqual([
    ...['pricing https://a.example/1', 'pricing https://a.example/2'],
    ...['pricing https://a.example/3', 'terms https://a.example/terms'],
  ])
  expect(pagesProbe().appliesTo(aSubject())).toBe(false)
})

describe('what is no page leaves what was known:', () => {
  for (const [name, play] of Object.entries(HOSTILE)) {
    if (name === 'a page that says it is one') continue
    if (name === 'JSON that is not called JSON') continue
    test(name, async () => {
      html('/terms', 'Pay.')
      const vendor = { terms: terms() }
      const { facts } = await pagesProbe().run(outside, aSubject({}, { vendor }), NOW)
      site.on('/terms', play)
      const subject = aSubject({}, { vendor, facts })
      expect(await pagesProbe().run(towards(name), subject, NOW + DAY_MS)).toEqual({ facts: [] })
    })
  }
})
