import { expect, setDefaultTimeout, test } from 'bun:test'
import { aCatalogView, catalogSite } from '../support/catalog-pages.ts'
import { foreignCatalog } from '../support/foreign-catalog.ts'
import { hostileWords, MARKUP } from '../support/hostile-corpus.ts'
import { everyNth } from '../support/share.ts'
import { DESK, openChromium, openTab, PHONE } from './chromium.ts'
import { escapesOf } from './escapes.ts'

setDefaultTimeout(120_000)

// Each tool has some forty texts; the lists show all of them.
const TOOLS = 60
const OPENED = 9

const browser = await openChromium()

const SIZES = [
  ['a phone', PHONE, 0],
  ['a desk', DESK, 1],
] as const

test.each(everyNth(SIZES, 2, 1))(
  'no text of a record leaves its place, nor breaks a page: %s',
  async (_, options, round) => {
    const { source, live } = foreignCatalog(TOOLS, hostileWords(round))
    await using site = await catalogSite(aCatalogView(source, live))
    await using tab = await openTab(browser, site, options)
    const slugs = source.tools.slice(round * OPENED, (round + 1) * OPENED).map(({ slug }) => slug)
    const query = encodeURIComponent(MARKUP.join(' ').slice(0, 400))
    const paths = [
      ...['/tools', '/tools?page=2', '/tools?sort=category', '/x402', '/changes', '/methodology'],
      ...[`/tools?q=${query}`, `/tools?category=${query}`, `/tools/${query}`],
      ...[`/compare?tools=${slugs.slice(0, 4).join(',')}`, `/compare?tools=${query}`],
      ...slugs.map((slug) => `/tools/${slug}`),
    ]
    expect(await escapesOf(tab, site.url, [...paths, ...site.pagesToVisit(paths)])).toEqual([])
  },
)

test.each([
  ['a phone', PHONE, 260],
  ['a desk', DESK, 120],
] as const)(
  'a row of the directory stays a row, however long its name is: %s',
  async (_, options, most) => {
    const { source, live } = foreignCatalog(TOOLS, hostileWords(1))
    await using site = await catalogSite(aCatalogView(source, live))
    await using tab = await openTab(browser, site, options)
    await tab.page.goto('/tools')
    const heights = await tab.page
      .locator('.tool')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThan(10)
    expect(Math.max(...heights)).toBeLessThan(most)
  },
)
