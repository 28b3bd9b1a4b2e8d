import { expect, test } from 'bun:test'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

const { world, browser } = await openWorld()

const ANDROID =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15'

const sourceOf = async (id: QuestionId) =>
  (await findQuestion(world.db.read, world.workspaceId, id))?.answerSource

/** Chromium has no switch for how a page is opened; this is what its scripts would see. */
function openAs(mode: string) {
  const real = window.matchMedia.bind(window)
  window.matchMedia = (query) =>
    query.startsWith('(display-mode:')
      ? real(query.includes(mode) ? 'all' : 'not all')
      : real(query)
}

test.each([
  ['on a phone', { ...PHONE, userAgent: ANDROID }, 'standalone', 'mobile_app'],
  ['in the Dock', { ...DESK, userAgent: MAC }, 'standalone', 'mac_app'],
  ['on another desk', DESK, 'standalone', 'decide_page'],
  ['in a tab of a phone', { ...PHONE, userAgent: ANDROID }, 'browser', 'decide_page'],
] as const)(
  'an answer says where the app stands: %s',
  async (_, options, mode, source) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await tab.context.addInitScript(openAs, mode)
    const id = await world.ask()
    await page.goto(`/d/${id}`)
    await page.getByRole('button', { name: 'Yes' }).click()
    await page.locator('.outcome, .just').waitFor()
    expect(await sourceOf(id)).toBe(source)
    expect(new URL(page.url()).pathname).toBe(`/d/${id}`)
    expect(tab.complaints).toEqual([])
  },
  60_000,
)

test('a form cannot claim another surface than an app', async () => {
  for (const [surface, source] of [
    ['slack', 'decide_page'],
    ['mobile_background', 'decide_page'],
    ['mobile_app', 'mobile_app'],
  ] as const) {
    const id = await world.ask()
    await world.post(`/d/${id}/answer`, { value: 'yes', from: 'decide_page', surface })
    expect(await sourceOf(id)).toBe(source)
  }
})

test('behind a proxy with a sign-in of its own, the browser gets the manifest with its cookie', async () => {
  await using proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      const isIn = request.headers.get('cookie')?.includes('gate=open')
      if (pathname.startsWith('/manifest') && !isIn) return new Response('', { status: 401 })
      // `fetch` unpacks what comes, so nothing packed is asked for.
      const headers = new Headers(request.headers)
      headers.set('accept-encoding', 'identity')
      return fetch(world.url + pathname, { headers, redirect: 'manual' })
    },
  })
  await using tab = await openTab(browser, world, PHONE)
  const gate = `http://127.0.0.1:${proxy.port}`
  await tab.context.addCookies([{ name: 'gate', value: 'open', url: gate }])
  await tab.page.goto(`${gate}/sign-in`)
  const session = await tab.context.newCDPSession(tab.page)
  const { data, errors } = await session.send('Page.getAppManifest')
  expect({ name: JSON.parse(data ?? '{}').name, errors }).toEqual({ name: 'beckon', errors: [] })
})
