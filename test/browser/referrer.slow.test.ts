import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { findPersonByEmail } from '../../src/ask/accounts/model/person-store.ts'
import { linkToken } from '../../src/ask/delivery/model/links.ts'
import { beginPairing } from '../../src/ask/sign-in/pair-device.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { readSecrets } from '../../src/platform/db/settings-store.ts'
import { aDevice, connect } from '../support/devices.ts'
import { pageWorld } from '../support/page-world.ts'
import { until } from '../support/until.ts'
import { DESK, openTab, openWorld } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

type Heard = { path: string; referer: string | null; origin: string | null }

const { world, browser } = await openWorld()
let heard: Heard[] = []
/** Another site, which writes down what browsers tell it. */
const elsewhere = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ url, headers }) {
    const [referer, origin] = [headers.get('referer'), headers.get('origin')]
    heard.push({ path: new URL(url).pathname, referer, origin })
    return new Response('<h1>Elsewhere</h1>', { headers: { 'content-type': 'text/html' } })
  },
})
afterAll(() => elsewhere.stop(true))

/** The addresses of this server that hold something secret, and a page that holds none. */
async function addresses(): Promise<string[]> {
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  const secrets = await readSecrets(world.db.read)
  if (!mara || !secrets) throw new Error('no Mara')
  const { code } = await beginPairing({ db: world.db, clock }, mara)
  const { workspaceId } = world
  const [device] = await connect(world.db, aDevice({ workspaceId, personId: mara.id }))
  const questionId = await world.ask({ question: `Look at ${elsewhere.url}question` })
  const about = { questionId, subscriberId: device?.id ?? 'sub_none' }
  const notification = await world.tell({ url: `${elsewhere.url}notification` })
  const token = linkToken(secrets.quickAnswerSecret, { ...about, purpose: 'page' })
  return [
    `/a/${token}`,
    `/pair/${code}`,
    '/setup?key=spent',
    `/n/${notification.id}`,
    `/d/${questionId}`,
  ]
}

test('whoever follows a link out of a page tells nobody where it stood', async () => {
  await using tab = await openTab(browser, world, DESK)
  const { page } = tab
  for (const from of await addresses()) {
    heard = []
    await page.goto(from)
    // A link of the page itself where it has one, else one that a person would paste there.
    const to = `${elsewhere.url}followed`
    await page.evaluate((href) => {
      const link = document.createElement('a')
      Object.assign(link, { href, id: 'out', textContent: 'out', target: '_self' })
      document.querySelector('main')?.append(link)
    }, to)
    await page.click('#out')
    await page.getByRole('heading', { name: 'Elsewhere' }).waitFor()
    expect([from, heard.find(({ path }) => path === '/followed')?.referer]).toEqual([from, null])
  }
})

test('the link in a notification opens with neither a referrer nor a way back into the page', async () => {
  await using tab = await openTab(browser, world, DESK)
  const { page, context } = tab
  const { id } = await world.tell({ url: `${elsewhere.url}notification` })
  await page.goto(`/n/${id}`)
  heard = []
  const link = page.locator(`a[href="${elsewhere.url}notification"]`)
  const opened = context.waitForEvent('page', { timeout: 3_000 }).catch(() => page)
  await link.click()
  const out = await opened
  await out.getByRole('heading', { name: 'Elsewhere' }).waitFor()
  expect(await out.evaluate(() => window.opener)).toBe(null)
  expect(heard.filter(({ path }) => path === '/notification')).toEqual([
    { path: '/notification', referer: null, origin: null },
  ])
})

test('no page loads, sends or frames anything elsewhere, and none is framed there', async () => {
  await using tab = await openTab(browser, world, DESK)
  const { page } = tab
  heard = []
  const tryEverything = () =>
    page.evaluate(async (to) => {
      for (const tag of ['img', 'iframe', 'script', 'embed'] as const) {
        const one = document.createElement(tag)
        one.setAttribute('src', `${to}${tag}`)
        document.body.append(one)
      }
      const sheet = document.createElement('link')
      Object.assign(sheet, { rel: 'stylesheet', href: `${to}style` })
      document.head.append(sheet)
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: `${to}form` })
      document.body.append(form)
      navigator.sendBeacon(`${to}beacon`, location.href)
      await fetch(`${to}fetch`, { method: 'POST', body: location.href }).catch(() => {})
      // Where it is let go it leaves the page.
      setTimeout(() => form.submit(), 50)
    }, elsewhere.url.href)
  // Where nothing is forbidden, all of it is heard of.
  await page.goto(`${elsewhere.url}control`)
  await tryEverything()
  await page.waitForURL('**/form')
  const wanted = ['/beacon', '/embed', '/fetch', '/form', '/iframe', '/img', '/script', '/style']
  const paths = () =>
    [...new Set(heard.map(({ path }) => path))].filter((one) => wanted.includes(one))
  await until(() => paths().length === wanted.length)
  expect(paths().sort()).toEqual(wanted)
  heard = []
  for (const from of await addresses()) {
    await page.goto(from)
    await tryEverything()
    // Time for what would have been sent; that nothing was is said by the list.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
  }
  expect(paths()).toEqual([])
})

test('the link that makes the owner is not left in the history', async () => {
  await using fresh = await pageWorld({ owner: false })
  await using tab = await openTab(browser, fresh, DESK)
  const { page } = tab
  await page.goto(`/setup?key=${fresh.setUpKey}`)
  await page.getByLabel('Name').fill('Mara')
  await page.getByLabel('E-mail').fill('mara@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Welcome, Mara' }).waitFor()
  const tools = await page.context().newCDPSession(page)
  const { entries } = await tools.send('Page.getNavigationHistory')
  const addresses = entries.map(({ url }) => url)
  expect(addresses).toContain(`${fresh.url}/setup`)
  expect(addresses.join(' ')).not.toContain(fresh.setUpKey)
  // Whoever is signed in already is sent on from there.
  await page.goBack()
  expect(page.url()).toBe(`${fresh.url}/`)
})
