import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { publish } from '../../src/catalog/publishing/publish.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { until } from '../support/until.ts'
import { violations } from './axe.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()
await publish({ db: world.db, clock: systemClock }, generatedCatalog(4))
await until(async () => (await (await world.get('/')).text()).includes('/tools#beckon'))

const wayBack = (page: Page) => page.getByRole('link', { name: 'Back to beckon' })

/** Width and height of each tab, of its name, and where it ends. */
const tabs = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.nav a')].map((tab) => {
      const box = tab.getBoundingClientRect()
      const name = tab.querySelector('.nav-name') as HTMLElement
      const rect = name.getBoundingClientRect()
      return {
        box: { left: box.left, right: box.right, width: box.width, height: box.height },
        name: { width: name.scrollWidth, height: rect.height, has: rect.width },
      }
    }),
  )

test.each([
  ['on a phone', PHONE],
  ['on a phone, without scripts', { ...PHONE, javaScriptEnabled: false }],
  ['on a desk', DESK],
])('the catalog is one of the tabs, and leads back: %s', async (_, options) => {
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  await page.goto('/sessions')
  const nav = page.getByRole('navigation', { name: 'Main' })
  expect(await nav.locator('[aria-current=page]').textContent()).toBe('Sessions')
  await nav.getByRole('link', { name: 'Catalog' }).click()
  await page.waitForURL('**/tools#beckon')
  const box = await wayBack(page).boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  await wayBack(page).click()
  await page.waitForURL(`${world.url}/`)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(tab.complaints).toEqual([])
})

test('a link leads back to the inbox from every page of the catalog, and no longer once the person signs out', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/settings')
  await page.goto('/tools/tool-0001')
  await wayBack(page).waitFor()
  expect(await violations(page)).toEqual([])
  await page.goto('/sign-in')
  // Whoever is signed in is sent on from there.
  await page.goto('/methodology')
  await wayBack(page).waitFor()
  await tab.context.clearCookies()
  await page.goto('/sign-in')
  await page.goto('/tools')
  expect(await wayBack(page).isVisible()).toBe(false)
})

test('a stranger sees no way to the question service', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const stranger = { url: world.url, cookie: '' }
    await using tab = await openTab(browser, stranger, { ...PHONE, javaScriptEnabled })
    const { page } = tab
    for (const path of ['/tools', '/tools/tool-0001', '/x402', '/changes', '/methodology']) {
      await page.goto(path)
      const links = page.locator('a[href="/"]')
      for (const link of await links.all())
        expect([path, await link.isVisible()]).toEqual([path, false])
    }
  }
})

test('the inbox is one tab, marked at both of its addresses', async () => {
  for (const path of ['/', '/inbox']) {
    const page = await (await world.get(path)).text()
    const marked = [...page.matchAll(/<a href="([^"]+)" aria-current="page"/g)]
    expect([path, marked.map(([, to]) => to)]).toEqual([path, ['/inbox']])
  }
})

test('every tab can be hit, and none overlaps, also with large letters', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await world.ask()
  await page.goto('/')
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const size of ['100%', '130%', '200%']) {
      await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize
      }, size)
      const boxes = await tabs(page)
      expect(boxes).toHaveLength(6)
      const large = size === '200%'
      let end = 0
      for (const { box, name } of boxes) {
        const at = `${width} ${size} ${JSON.stringify({ box, name })}`
        expect([at, box.width >= 44 && box.height >= 48]).toEqual([at, true])
        expect([at, box.left >= end - 0.5]).toEqual([at, true])
        end = box.right
        if (large) expect([at, name.height]).toEqual([at, 0])
        if (size === '100%') expect([at, name.height > 8]).toEqual([at, true])
        if (!large) expect([at, name.width <= box.width + 1]).toEqual([at, true])
      }
      expect([width, size, end <= width]).toEqual([width, size, true])
    }
  }
  // Names that are not seen are still said.
  expect(await page.getByRole('link', { name: 'Sessions' }).count()).toBeGreaterThan(0)
  expect(await violations(page)).toEqual([])
})
