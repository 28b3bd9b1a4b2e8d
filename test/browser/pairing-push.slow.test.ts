import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { pairingCodes } from '../../src/ask/accounts/model/table.ts'
import { listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Behaviour, pushServer } from '../support/push-server.ts'
import { DESK, openChromium, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const ANDROID = {
  ...PHONE,
  userAgent: 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36',
}

const { world, browser } = await openWorld({
  whole: true,
  env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
})
// For what needs no notifications.
const plain = await openChromium()
const push = await pushServer()
afterAll(() => push[Symbol.asyncDispose]())

async function begin(page: Page): Promise<string> {
  await page.goto('/settings/devices')
  await page.getByRole('button', { name: 'Connect a phone' }).click()
  await page.getByText('The link in text').waitFor()
  return new URL((await page.locator('.by-hand pre').textContent()) ?? '').pathname
}

/** Subscribes with the push service of the test: Chromium’s own asks Google. */
function subscribeThere(subscription: { endpoint: string; keys: object }) {
  PushManager.prototype.subscribe = async () =>
    ({ ...subscription, toJSON: () => subscription }) as unknown as PushSubscription
}

/** A phone that was just signed in by its camera, and whose push service behaves like this. */
async function pairedPhone(desk: Page, name: string, behaviour: Behaviour) {
  const phone = await openTab(browser, { url: world.url, cookie: '' }, ANDROID)
  await phone.context.grantPermissions(['notifications'], { origin: world.url })
  await phone.context.addInitScript(subscribeThere, push.subscribe(name, behaviour))
  await phone.page.goto(await begin(desk))
  await phone.page.getByRole('button', { name: 'Yes, sign me in here' }).click()
  await phone.page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  return phone
}

test('a phone that was signed in by its camera connects, and gets a test with its true result', async () => {
  await using desk = await openTab(browser, world, DESK)
  await using phone = await pairedPhone(desk.page, 'pixel', { status: 201 })
  await phone.page.getByRole('button', { name: 'Connect' }).click()
  await phone.page.getByText('took the message').waitFor()
  expect(push.delivered.at(-1)).toMatchObject({ name: 'pixel', status: 201 })
  const [device] = await listSubscribers(world.db.read, world.workspaceId)
  expect(device).toMatchObject({ kind: 'phone', label: 'Chrome on Android' })
  expect(phone.complaints).toEqual([])
})

test('a test that its push service refuses is not called a success', async () => {
  await using desk = await openTab(browser, world, DESK)
  await using phone = await pairedPhone(desk.page, 'gone', { status: 410 })
  await phone.page.getByRole('button', { name: 'Connect' }).click()
  await phone.page.getByText('removed from the list').waitFor()
  expect(await phone.page.getByText('took the message').count()).toBe(0)
})

test('a used, an expired and a made-up code say what they are, and sign nobody in', async () => {
  await using desk = await openTab(plain, world, DESK)
  const used = await begin(desk.page)
  await using first = await openTab(plain, { url: world.url, cookie: '' }, ANDROID)
  await first.page.goto(used)
  await first.page.getByRole('button', { name: 'Yes, sign me in here' }).click()
  await first.page.getByRole('heading', { name: 'You are signed in' }).waitFor()

  await using second = await openTab(plain, world, DESK)
  const expired = await begin(second.page)
  const over = { expiresAt: systemClock.now() - 1 }
  await world.db.write((tx) => tx.update(pairingCodes).set(over))
  await second.page.getByText('Nobody scanned the code in time').waitFor()

  for (const path of [used, expired, `/pair/${'a'.repeat(26)}`]) {
    await using late = await openTab(plain, { url: world.url, cookie: '' }, ANDROID)
    await late.page.goto(path)
    await late.page.getByRole('heading', { name: 'This link is used up' }).waitFor()
    expect(await late.page.getByRole('button', { name: 'sign me in' }).count()).toBe(0)
    await late.page.goto('/inbox')
    expect(new URL(late.page.url()).pathname).toBe('/sign-in')
  }
})
