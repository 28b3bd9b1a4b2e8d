import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { forgetSubscriber, listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import { pushServer } from '../support/push-server.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld({
  whole: true,
  env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
})
const push = await pushServer()
afterAll(() => push[Symbol.asyncDispose]())

/** A push service in the page: Chromium’s own asks Google. */
function subscribeThere(subscription: { endpoint: string; keys: object }) {
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = async () =>
    ({ ...subscription, toJSON: () => subscription }) as never
}

const devices = () => listSubscribers(world.db.read, world.workspaceId)

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'

async function openPhone(name: string, more: { userAgent?: string } = {}) {
  for (const { id } of await devices()) {
    await world.db.write((tx) => forgetSubscriber(tx, world.workspaceId, id))
  }
  const tab = await openTab(browser, world, { ...PHONE, ...more })
  await tab.context.grantPermissions(['notifications'], { origin: world.url })
  await tab.context.addInitScript(subscribeThere, push.subscribe(name, { status: 201 }))
  return tab
}

test('"Nothing rings yet" goes once a device is connected', async () => {
  await using tab = await openPhone('list')
  const { page } = tab
  await page.goto('/settings/devices')
  await page.getByText('Nothing rings yet').waitFor()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Your browser rings now: ').waitFor()
  await page.getByText('Nothing rings yet').waitFor({ state: 'detached' })
  expect(await page.locator('#devices .thing').count()).toBe(1)
  expect(tab.complaints).toEqual([])
})

test('Home connects this browser on the spot, and says that it rings', async () => {
  await using tab = await openPhone('home', { userAgent: ANDROID })
  const { page } = tab
  await page.goto('/')
  await page.getByRole('button', { name: 'Connect this browser' }).click()
  await page.locator('#steps').getByText('Your phone rings now:').waitFor()
  await page.locator('#step-device.done').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect((await devices()).length).toBe(1)
  expect(tab.complaints).toEqual([])
})

test('the page says that scripts are needed when there are none, not while they load', async () => {
  await using tab = await openPhone('slow')
  const { page } = tab
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(/assets\/push\.\w*/, async (route) => {
    await held
    await route.continue()
  })
  const state = page.locator('[data-push-state]')
  await page.goto('/settings/devices', { waitUntil: 'commit' })
  await state.waitFor({ state: 'attached' })
  expect(await state.evaluate((part) => getComputedStyle(part).visibility)).toBe('hidden')
  release()
  await state.getByText('Not connected yet').waitFor()

  const options = { ...PHONE, javaScriptEnabled: false }
  await using plain = await openTab(browser, world, options)
  for (const path of ['/', '/settings/devices']) {
    await plain.page.goto(path)
    await plain.page.getByText('Connecting needs scripts').waitFor()
  }
})
