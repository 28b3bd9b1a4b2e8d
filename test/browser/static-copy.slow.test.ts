import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { readDirectoryQuery, selectTools } from '../../src/catalog/pages/query.ts'
import { nginxServer } from '../catalog/export/nginx-server.ts'
import { feedWorld } from '../catalog/feeds/feed-world.ts'
import { aCatalogView } from '../support/catalog-pages.ts'
import { foreignCatalog } from '../support/foreign-catalog.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { hostileWords } from '../support/hostile-corpus.ts'
import { plainFileServer } from '../support/plain-file-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openChromium, openTab, PHONE } from './chromium.ts'
import { look, TAPPABLE } from './escapes.ts'

setDefaultTimeout(120_000)

const TOOLS = 120
const source = generatedCatalog(TOOLS)
const snapshot = aCatalogView(source)
const browser = await openChromium()
const work = tempFolder()
const world = await feedWorld()
await world.publish(source)
const root = join(work.path, 'site')
await world.export(root)
const plain = await plainFileServer(root)
const nginx = await nginxServer(join(work.path, 'nginx'), root)
afterAll(async () => {
  for (const one of [plain, nginx, world]) await one[Symbol.asyncDispose]()
  work[Symbol.dispose]()
})

const servers = [
  ['a plain file server', plain],
  ['nginx with the configuration of the export', nginx],
] as const

const names = (page: Page) =>
  page.locator('.tools .tool-name').evaluateAll((links) => links.map((link) => link.textContent))

/** Every link of the list, following “Next page” to the end. */
async function linksOf(page: Page): Promise<string[]> {
  const links: string[] = []
  for (;;) {
    const here = page.locator('.tools .tool-name')
    links.push(
      ...(await here.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))),
    )
    const next = page.getByRole('link', { name: 'Next page' })
    if ((await next.count()) === 0) return links
    await next.click()
    // A list may still be coming in.
    await page.waitForLoadState('domcontentloaded')
  }
}

test.each(servers)(
  '%s: every tool is reached by links, without scripts too',
  async (_, { url }) => {
    for (const javaScriptEnabled of [true, false]) {
      await using tab = await openTab(browser, { url, cookie: '' }, { javaScriptEnabled })
      const { page } = tab
      await page.goto('/')
      const links = await linksOf(page)
      expect(new Set(links).size).toBe(TOOLS)
      for (const link of links) {
        const response = await fetch(link)
        expect([link, response.status]).toEqual([link, 200])
        expect(await response.text()).toContain('<h1')
      }
      // The last one of the last page, by a click.
      const last = page.locator('.tools .tool-name').last()
      const name = await last.textContent()
      await last.click()
      await page.waitForURL(/\/tools\/tool-\d+\/?$/)
      expect(await page.locator('h1').textContent()).toContain(name ?? '-')
      expect(tab.complaints).toEqual([])
    }
  },
)

test.each(servers)('%s: a search and filters find what the server finds', async (_, { url }) => {
  await using tab = await openTab(browser, { url, cookie: '' })
  const { page } = tab
  const tool = snapshot.tools[70]
  if (!tool) throw new Error('the generated catalog is too small')
  for (const text of [tool.name, tool.vendor, tool.summary, tool.slug]) {
    await page.goto('/')
    await page.getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
    await page.getByText('in this copy').waitFor()
    expect(await names(page)).toContain(tool.name)
    expect(await page.getByRole('searchbox').inputValue()).toBe(text)
  }
  for (const search of [
    'category=messaging,storage&pricing=free',
    'q=tool+1&kind=mcp',
    'tag=sends',
    'up=no',
    'sort=name',
    'tag=sends&sort=name',
  ]) {
    await page.goto(`/tools?${search}`)
    await page.getByText('in this copy').waitFor()
    const tools = selectTools(snapshot, readDirectoryQuery(new URLSearchParams(search), snapshot))
    expect(await names(page)).toEqual(tools.slice(0, 100).map(({ name }) => name))
  }
  // Links that carry words of somebody else change nothing.
  await page.goto('/tools?utm_source=letter')
  expect((await names(page)).length).toBe(50)
  await page.getByRole('checkbox', { name: 'messaging' }).check()
  await page.getByText('in this copy').waitFor()
  expect(await page.getByRole('checkbox', { name: 'messaging' }).isChecked()).toBe(true)
  await page.locator('.tools .tool-name').first().click()
  await page.waitForURL(/\/tools\/tool-\d+\/?$/)
  expect(tab.complaints).toEqual([])
})

test('what needs the server says so, with scripts and without', async () => {
  const paths = ['/tools?sort=stars', '/compare?tools=tool-0001,tool-0002', '/changes?kind=price']
  const says = 'A copy of plain files has no server'
  for (const javaScriptEnabled of [true, false]) {
    await using tab = await openTab(
      browser,
      { url: plain.url, cookie: '' },
      { ...PHONE, javaScriptEnabled },
    )
    for (const path of paths) {
      await tab.page.goto(path)
      // A search for text passes over what stands in noscript.
      const note = tab.page.locator('[data-plain-files], noscript p').filter({ visible: true })
      await note.waitFor()
      expect(await note.textContent()).toContain(says)
      if (!javaScriptEnabled) continue
      const link = await note.getByRole('link').getAttribute('href')
      expect(link).toBe(`https://catalog.example${path}`)
    }
    if (!javaScriptEnabled) continue
    for (const path of ['/tools', '/compare', '/changes']) {
      await tab.page.goto(path)
      expect(await tab.page.getByText(says).filter({ visible: true }).count()).toBe(0)
    }
  }
})

test('the server itself answers, and no page of it speaks of copies', async () => {
  await using tab = await openTab(browser, { url: world.url, cookie: '' })
  for (const path of ['/tools?q=tool+1', '/tools?sort=name', '/compare?tools=tool-0001']) {
    await tab.page.goto(path)
    expect(await tab.page.getByText(/copy of plain files|in this copy/).count()).toBe(0)
  }
  await tab.page.goto('/tools')
  expect(await linksOf(tab.page)).toHaveLength(TOOLS)
})

test.each([
  ['a phone', PHONE, 0],
  ['a desk', { viewport: { width: 1280, height: 800 } }, 1],
] as const)('texts that try to get out of the index do not: %s', async (_, options, round) => {
  await using foreign = await feedWorld()
  await foreign.publish(foreignCatalog(30, hostileWords(round)).source)
  using folder = tempFolder()
  const site = join(folder.path, 'site')
  await foreign.export(site)
  await using bare = await plainFileServer(site)
  await using strict = await nginxServer(join(folder.path, 'nginx'), site)
  for (const { url } of [bare, strict]) {
    await using tab = await openTab(browser, { url, cookie: '' }, options)
    for (const search of [
      'kind=mcp,http-api,framework,model,platform,protocol',
      'q=e',
      'q=<script>',
    ]) {
      await tab.page.goto(`/tools?${search}`)
      await tab.page.getByText('in this copy').waitFor()
      const across = options.viewport.width
      expect(await tab.page.evaluate(look, { tappable: TAPPABLE, across })).toEqual([])
      if (search.startsWith('kind')) expect(await names(tab.page)).toHaveLength(30)
    }
    expect(tab.complaints).toEqual([])
  }
})
