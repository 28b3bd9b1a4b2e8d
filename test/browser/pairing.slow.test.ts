import { expect, setDefaultTimeout, test } from 'bun:test'
import axe from 'axe-core'
import jsQR from 'jsqr'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { pageWorld } from '../support/page-world.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const IPHONE = {
  ...PHONE,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
}

const { world, browser } = await openWorld()

/** Somebody who is signed in nowhere. */
const stranger = (options: BrowserContextOptions) =>
  openTab(browser, { url: world.url, cookie: '' }, options)

async function begin(page: Page): Promise<string> {
  await page.goto('/settings/devices')
  await page.getByRole('button', { name: 'Connect a phone' }).click()
  await page.getByText('The link in text').waitFor()
  return new URL((await page.locator('.by-hand pre').textContent()) ?? '').pathname
}

const digits = async (page: Page) => (await page.locator('.fingerprint').textContent())?.trim()

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe: there } = window as unknown as { axe: typeof axe }
    const results = (await there.run(document)).violations
    return results.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  })
}

/** What the drawn code says to a reader that knows nothing of how it was drawn. */
async function scan(page: Page): Promise<string | undefined> {
  const { width, height, data } = await page.evaluate(async () => {
    const svg = document.querySelector('svg.qr')
    if (!svg) throw new Error('there is no code')
    const side = 400
    const copy = svg.cloneNode(true) as SVGElement
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    copy.setAttribute('width', String(side))
    copy.setAttribute('height', String(side))
    const image = new Image()
    image.src = `data:image/svg+xml,${encodeURIComponent(copy.outerHTML)}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0)
    const pixels = context?.getImageData(0, 0, side, side).data ?? []
    return { width: side, height: side, data: [...pixels] }
  })
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data
}

test('the drawn code says the link, on an address that a phone can open', async () => {
  const base = 'http://beckon.example.com'
  await using far = await pageWorld({ env: { BECKON_BASE_URL: base } })
  const response = await far.post('/settings/pair', {}, { origin: base, cookie: far.cookie })
  const html = await response.text()
  await using tab = await openTab(browser, world, DESK)
  await tab.page.setContent(html)
  expect(await scan(tab.page)).toBe(base + /\/pair\/[0-9a-z]{26}/.exec(html)?.[0])
})

test('a phone opens the link, compares, is signed in, and the desk sees it; then its home-screen app', async () => {
  await using desk = await openTab(browser, world, DESK)
  const path = await begin(desk.page)
  expect(await violations(desk.page)).toEqual([])

  await using phone = await stranger(IPHONE)
  await phone.page.goto(path)
  expect(await digits(phone.page)).toBe(await digits(desk.page))
  expect(await phone.page.getAttribute('link[rel=manifest]', 'href')).toContain(path.slice(6))
  expect(await violations(phone.page)).toEqual([])
  await phone.page.getByRole('button', { name: 'Yes, sign me in here' }).click()
  await phone.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await phone.page.getByText('Add it to the home screen').waitFor()
  expect(await violations(phone.page)).toEqual([])

  await desk.page.getByRole('heading', { name: 'Paired' }).waitFor()
  expect(await desk.page.getByText('Safari on iPhone').count()).toBe(1)
  expect(await desk.page.locator('svg.qr').count()).toBe(0)
  expect(await violations(desk.page)).toEqual([])

  // The installed app has storage of its own: it knows its start address and nothing else.
  const manifest = await phone.page.getAttribute('link[rel=manifest]', 'href')
  const { start_url } = await (await fetch(world.url + manifest)).json()
  expect(start_url).not.toBe(path)
  await using app = await stranger(IPHONE)
  await app.page.goto(start_url)
  expect(await digits(app.page)).toBe(await digits(desk.page))
  await app.page.getByRole('button', { name: 'Yes, sign me in here' }).click()
  await app.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await desk.page.getByText('from the home screen').waitFor()
  // It starts there for ever, also when the link is spent.
  await app.page.goto(start_url)
  expect(new URL(app.page.url()).pathname).toBe('/')

  await desk.page.getByRole('button', { name: 'That was not me' }).click()
  await desk.page.getByText('The pairing was ended').waitFor()
  for (const { page } of [phone, app]) {
    await page.goto('/inbox')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  }
  expect([...desk.complaints, ...phone.complaints, ...app.complaints]).toEqual([])
})

test('all of it works without scripts', async () => {
  const plain = { javaScriptEnabled: false }
  await using desk = await openTab(browser, world, { ...DESK, ...plain })
  const path = await begin(desk.page)
  await using phone = await stranger({ ...PHONE, ...plain })
  await phone.page.goto(path)
  await phone.page.getByRole('button', { name: 'Yes, sign me in here' }).click()
  await phone.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await desk.page.getByRole('link', { name: 'Has it paired?' }).click()
  await desk.page.getByRole('heading', { name: 'Paired' }).waitFor()
})

test('a second phone, and a code that was cancelled, are told so and stay outside', async () => {
  await using desk = await openTab(browser, world, DESK)
  await using late = await stranger(PHONE)
  await late.page.goto(await begin(desk.page))
  await desk.page.getByRole('button', { name: 'Cancel' }).click()
  await desk.page.getByText('The pairing was ended').waitFor()
  await late.page.getByRole('button', { name: 'Yes, sign me in here' }).click()
  await late.page.getByRole('heading', { name: 'This link is used up' }).waitFor()
  expect(await violations(late.page)).toEqual([])
  await late.page.goto('/inbox')
  expect(new URL(late.page.url()).pathname).toBe('/sign-in')
})
