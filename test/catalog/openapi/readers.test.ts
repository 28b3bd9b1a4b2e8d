import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parseXml, XmlElement } from '@rgrove/parse-xml'
import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { type PublishedCatalog, publishedCatalog } from '../../support/published-catalog.ts'

const published = async () => {
  const source = generatedCatalog(30)
  return {
    ...source,
    settings: { ...source.settings, preview: false, contact: 'mailto:a@a.example' },
  }
}

/** Published readers over what the server sends, not over what a function returns. */
describe.each([
  ['the examples', exampleCatalog],
  ['generated records', published],
] as const)('%s', (_, sourceOf) => {
  let world: PublishedCatalog
  beforeAll(async () => {
    world = await publishedCatalog(await sourceOf())
  })
  afterAll(() => world[Symbol.asyncDispose]())
  const text = async (path: string) => await (await world.get(path)).text()

  test('calendars are read by two parsers, with as many events', async () => {
    const whole = await text('/sunsets.ics')
    const ids = new ICAL.Component(ICAL.parse(whole))
      .getAllSubcomponents('vevent')
      .map((event) => String(event.getFirstPropertyValue('uid')))
    expect(new Set(ids).size).toBe(world.snapshot.changes.length)
    const events = Object.values(nodeIcal.sync.parseICS(whole)).filter(
      (one) => one?.type === 'VEVENT',
    )
    expect(events).toHaveLength(ids.length)
    const kinds = new Set(world.snapshot.changes.map(({ kind }) => kind))
    let count = 0
    for (const kind of kinds) {
      const part = new ICAL.Component(ICAL.parse(await text(`/sunsets.ics?kind=${kind}`)))
      count += part.getAllSubcomponents('vevent').length
    }
    expect(count).toBe(ids.length)
  })

  test('Atom, as XML and as a feed: the one of everything and the one of each tool', async () => {
    const paths = [
      '/changes.atom',
      ...world.snapshot.tools.map(({ slug }) => `/tools/${slug}.atom`),
    ]
    let entries = 0
    for (const path of paths) {
      const xml = await text(path)
      expect([path, parseXml(xml).root?.name]).toEqual([path, 'feed'])
      const feed = parseAtomFeed(xml)
      expect(feed.links?.find(({ rel }) => rel === 'self')?.href).toBe(
        world.snapshot.baseUrl + path,
      )
      if (path !== '/changes.atom') entries += feed.entries?.length ?? 0
      else expect(feed.entries?.length ?? 0).toBe(Math.min(200, world.snapshot.changes.length))
    }
    expect(entries).toBeGreaterThan(0)
  })

  test('JSON Feed', async () => {
    const feed = parseJsonFeed(await text('/changes.feed.json'))
    expect(feed.feed_url).toBe(`${world.snapshot.baseUrl}/changes.feed.json`)
    expect(feed.items?.length).toBe(Math.min(200, world.snapshot.changes.length))
  })

  test('the sitemap names pages that are there, each once', async () => {
    const { root } = parseXml(await text('/sitemap.xml'))
    expect(root?.attributes.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9')
    const urls = root?.children.filter((one) => one instanceof XmlElement) ?? []
    const places = urls.map((url) => {
      const [place, changed, ...more] = url.children as XmlElement[]
      expect([url.name, place?.name, changed?.name ?? 'lastmod', more.length]).toEqual([
        ...['url', 'loc', 'lastmod', 0],
      ])
      if (changed) expect(changed.text).toMatch(/^\d{4}-\d\d-\d\d$/)
      return place?.text ?? ''
    })
    expect(new Set(places).size).toBe(places.length)
    expect(places.length).toBe(world.snapshot.tools.length + 4)
    for (const place of places) {
      expect(place.startsWith(`${world.snapshot.baseUrl}/`)).toBe(true)
      const { status } = await world.get(place.slice(world.snapshot.baseUrl.length))
      expect([place, status]).toEqual([place, 200])
    }
  })

  test('robots.txt and security.txt are lines of names and values', async () => {
    for (const path of ['/robots.txt', '/.well-known/security.txt']) {
      const response = await world.get(path)
      if (response.status === 404) continue
      for (const line of (await response.text()).split('\n').filter(Boolean)) {
        expect([path, line]).toEqual([path, expect.stringMatching(/^[A-Z][A-Za-z-]+: \S/)])
      }
    }
  })

  test('the API catalog leads to a description and an entry that are there', async () => {
    const { linkset } = JSON.parse(await text('/.well-known/api-catalog'))
    const links = linkset.flatMap((one: object) => Object.values(one).flat())
    const own = links.flatMap((one: string | { href: string }) =>
      typeof one === 'object' && one.href.startsWith(world.snapshot.baseUrl) ? [one.href] : [],
    )
    expect(own.length).toBeGreaterThan(3)
    for (const href of own) {
      const { status } = await world.get(href.slice(world.snapshot.baseUrl.length))
      expect([href, status]).toEqual([href, 200])
    }
  })

  test('every link of the entry leads somewhere', async () => {
    const { links } = JSON.parse(await text('/api/v1/index.json'))
    const slug = world.snapshot.tools[0]?.slug ?? ''
    // The endpoint for agents speaks MCP, which its own tests do.
    const { mcp, ...documents } = links
    expect(mcp).toBe(`${world.snapshot.baseUrl}/api/mcp/catalog`)
    for (const href of Object.values(documents) as string[]) {
      const path = href.slice(world.snapshot.baseUrl.length).replace('{slug}', slug)
      expect([path, (await world.get(path)).status]).toEqual([path, 200])
    }
  })
})
