import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import { aCatalogView, catalogSite, measured } from '../support/catalog-pages.ts'
import { generatedCatalog } from '../support/generated-catalog.ts'
import { faultsOf, SIZES, sideways, violations } from './axe.ts'
import { openChromium, openTab, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const VISITED = [
  ...['/tools', '/tools?q=zzz', '/tools?category=messaging&sort=category&page=1'],
  ...['/tools/tool-0000', '/tools/tool-0001', '/tools/tool-0002', '/compare'],
  ...['/compare?tools=tool-0000,tool-0001,tool-0002,tool-0003', '/x402', '/changes'],
  ...['/methodology'],
]

const browser = await openChromium()
const live = new Map([
  ['tool-0000', measured('tool-0000')],
  ['tool-0001', measured('tool-0001', { lastOk: false })],
])
const site = await catalogSite(aCatalogView(withDeduction(generatedCatalog(60)), live))
const PATHS = [...VISITED, ...site.pagesToVisit(VISITED)]
const empty = await catalogSite(
  aCatalogView({ ...generatedCatalog(1), tools: [], reviews: [], changes: [] }),
)
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await empty[Symbol.asyncDispose]()
})

function withDeduction(source: CatalogSource): CatalogSource {
  const tools = source.tools.map((tool, i) => {
    if (i % 3 !== 0) return tool
    const dates = { date: '2026-08-01', expires: '2027-08-01' }
    const negative = { code: 'breach', points: -3, reason: 'Logs were public.', ...dates }
    return { ...tool, negatives: [{ ...negative, source: 'https://news.example/incident' }] }
  })
  return { ...source, tools }
}

test.each(SIZES)(
  'axe finds nothing on any page of the catalog, in light and dark: $name',
  async ({ options }) => {
    const problems: string[] = []
    let turn = 0
    for (const [world, paths] of [
      [site, PATHS],
      [empty, ['/tools', '/x402', '/changes', '/compare']],
    ] as const) {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      for (const path of paths) {
        await page.goto(path)
        await page.evaluate(() => {
          for (const fold of document.querySelectorAll('main details'))
            fold.setAttribute('open', '')
        })
        problems.push(...(await faultsOf(page, turn++)))
      }
      problems.push(...tab.complaints)
    }
    expect(problems).toEqual([])
  },
)

test('the parts of a catalog stand in whole words on the narrowest phone, and with large letters', async () => {
  await using tab = await openTab(browser, site, { viewport: { width: 320, height: 640 } })
  const { page } = tab
  await page.goto('/tools')
  const lines = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.parts a')].map((link) => {
        const range = document.createRange()
        range.selectNodeContents(link)
        return range.getClientRects().length
      }),
    )
  expect(await lines()).toEqual([1, 1, 1, 1])
  const heights = await page.locator('.parts').boundingBox()
  expect(heights?.height).toBeLessThan(60)
  await page.setViewportSize(PHONE.viewport)
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  expect(await lines()).toEqual([1, 1, 1, 1])
  expect(await sideways(page)).toBeLessThan(2)
})

test('the order of a list is read whole on a phone, with large letters too', async () => {
  await using tab = await openTab(browser, site, PHONE)
  const { page } = tab
  await page.goto('/tools?sort=category')
  for (const width of [320, 390]) {
    await page.setViewportSize({ ...PHONE.viewport, width })
    for (const size of ['100%', '200%']) {
      const { has, wants } = await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize
        const list = document.querySelector('.sort select') as HTMLElement
        const has = list.getBoundingClientRect().width
        list.style.width = 'max-content'
        const wants = list.getBoundingClientRect().width
        list.style.width = ''
        return { has, wants }
      }, size)
      expect([width, size, has >= wants]).toEqual([width, size, true])
      expect(await sideways(page)).toBeLessThan(2)
    }
  }
})

test('the months under the changes do not run into each other on the narrowest phone', async () => {
  await using tab = await openTab(browser, site, {
    ...PHONE,
    viewport: { width: 320, height: 700 },
  })
  await tab.page.goto('/changes')
  const gaps = await tab.page.locator('.months span').evaluateAll((labels) =>
    labels.slice(1).map((label, i) => {
      const words = document.createRange()
      words.selectNodeContents(labels[i] as Element)
      return label.getBoundingClientRect().left - words.getBoundingClientRect().right
    }),
  )
  expect(gaps.length).toBeGreaterThan(1)
  expect(gaps.filter((gap) => gap < 6)).toEqual([])
})

test('the sheet of filters opens on a phone, and what is ticked narrows the list', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using tab = await openTab(browser, site, { ...PHONE, javaScriptEnabled })
    const { page } = tab
    await page.goto('/tools')
    const sheet = page.locator('#filters')
    expect(await sheet.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('checkbox', { name: 'messaging' }).check()
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Show tools' }).click()
    await page.waitForURL(/category=messaging/)
    expect(await page.getByRole('link', { name: 'Without messaging' }).isVisible()).toBe(true)
    const tools = site.snapshot.tools.filter(({ category }) => category === 'messaging')
    expect(await page.locator('.tool').count()).toBe(tools.length)
  }
})

test('the number beside a filter stays on one line, however long its words are', async () => {
  await using tab = await openTab(browser, site, PHONE)
  const { page } = tab
  await page.goto('/tools')
  await page.getByRole('button', { name: 'Filters' }).click()
  const heights = await page.locator('#filters .choice').evaluateAll((choices) =>
    choices.map((choice) => {
      const [words, count] = choice.querySelectorAll('span')
      if (words) words.textContent = 'Free tier, then paid'
      if (count) count.textContent = '17'
      return count?.getBoundingClientRect().height
    }),
  )
  expect(heights.length).toBeGreaterThan(0)
  for (const height of heights) if (height !== 0) expect(height).toBeLessThan(26)
})

test('on a desk a tick is enough, and ticked tools are compared', async () => {
  await using tab = await openTab(browser, site)
  const { page } = tab
  await page.goto('/tools')
  await page.getByRole('checkbox', { name: 'storage' }).check()
  await page.waitForURL('**/tools?category=storage')
  const picks = page.locator('.pick input')
  await picks.nth(0).check()
  await picks.nth(1).check()
  await page.getByRole('button', { name: 'Compare the ticked' }).click()
  await page.waitForURL(/\/compare\?tools=/)
  expect(await page.locator('.compare thead th').count()).toBe(2)
})

test('a reader moves a weight by the keyboard, sees another score, and goes back', async () => {
  await using tab = await openTab(browser, site)
  const { page } = tab
  await page.goto('/tools/tool-0001')
  const published = site.snapshot.bySlug.get('tool-0001')?.catalog.score?.toFixed(1)
  const slider = page.getByRole('slider', { name: 'Weight of reliability' })
  await slider.focus()
  await page.keyboard.press('End')
  const result = page.locator('[data-result]')
  expect(await result.textContent()).toMatch(
    new RegExp(`^With your weights: \\d+\\.\\d\\. Published: ${published}\\.$`),
  )
  const shares = (await page.locator('[data-share]').allTextContents()).map(Number)
  expect(shares.reduce((sum, share) => sum + Math.round(share * 100), 0)).toBe(10_000)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Back to the published weights' }).click()
  expect(await result.isVisible()).toBe(false)
  const own = site.snapshot.bySlug.get('tool-0001')?.breakdown ?? []
  expect((await page.locator('[data-share]').allTextContents()).map(Number)).toEqual(
    own.filter(({ score }) => score !== null).map(({ effectiveWeight }) => effectiveWeight),
  )
  expect(tab.complaints).toEqual([])
})

test('without scripts everything is there but what needs one', async () => {
  await using tab = await openTab(browser, site, { ...PHONE, javaScriptEnabled: false })
  const { page } = tab
  await page.goto('/tools/tool-0001')
  expect(await page.getByRole('heading', { name: 'How the score comes about' }).isVisible()).toBe(
    true,
  )
  expect(await page.getByRole('slider').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  expect(await page.getByText('Move the weights').isVisible()).toBe(false)
})

test('keys lead through the directory', async () => {
  await using tab = await openTab(browser, site)
  const { page } = tab
  await page.goto('/tools')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  const second = site.snapshot.tools[1]
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(second?.name ?? '')
  await page.keyboard.press('/')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q')
})

// Links within a sentence are as high as its lines; what was read where stands in one.
const IN_A_SENTENCE = '.sum small a, .unseen, .skip'
const FINGER_PX = 44

test('whatever is touched on a phone is high enough for a finger', async () => {
  await using tab = await openTab(browser, site, PHONE)
  const { page } = tab
  const small: string[] = []
  for (const path of PATHS) {
    await page.goto(path)
    const tooSmall = await page.evaluate(
      ([within, least]) =>
        [...document.querySelectorAll('a, button, select, summary, label, input[type="range"]')]
          .filter((one) => one.checkVisibility() && !one.closest(within))
          // The whole row is the target.
          .filter((one) => getComputedStyle(one, '::after').position !== 'absolute')
          .filter((one) => one.getBoundingClientRect().height < least)
          .map((one) => `${one.className} ${one.textContent}`),
      [IN_A_SENTENCE, FINGER_PX] as const,
    )
    small.push(...tooSmall.map((one) => `${path}: ${one}`))
  }
  expect(small).toEqual([])
})

test('on a phone two tools are compared beside each other, and others are scrolled to', async () => {
  await using tab = await openTab(browser, site, PHONE)
  const { page } = tab
  for (const tools of ['tool-0000,tool-0001', 'tool-0000,tool-0001,tool-0002,tool-0003']) {
    await page.goto(`/compare?tools=${tools}`)
    const heads = page.locator('.compare thead th')
    const ends = await heads.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().right),
    )
    expect(ends.filter((right) => right <= 390)).toHaveLength(2)
    expect(await sideways(page)).toBe(0)
    // The names of the rows stay while the others are read.
    await heads.last().scrollIntoViewIfNeeded()
    const label = await page.locator('.compare tbody th').first().boundingBox()
    expect(label?.x).toBeGreaterThanOrEqual(0)
  }
})

test('pages of tools stay within the screen with letters twice as large', async () => {
  await using tab = await openTab(browser, site, PHONE)
  const { page } = tab
  for (const path of PATHS) {
    await page.goto(path)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect([path, await sideways(page)]).toEqual([path, 0])
  }
})
