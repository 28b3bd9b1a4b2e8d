import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { listSubscribers } from '../../src/ask/subscribers/model/store.ts'
import { pushServer } from '../support/push-server.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld({
  whole: true,
  env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
})
const push = await pushServer()
afterAll(() => push[Symbol.asyncDispose]())

/** A push service that nobody reaches at first, and that answers once `open` is called. */
function blockedAtFirst(subscription: { endpoint: string; keys: object }) {
  let isOpen = false
  Object.assign(window, { openPush: () => (isOpen = true) })
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = () =>
    isOpen
      ? Promise.resolve({ ...subscription, toJSON: () => subscription } as never)
      : new Promise(() => {})
}

function refused() {
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = async () => {
    throw new DOMException('Registration failed - push service error', 'AbortError')
  }
}

test.each([
  ['phone', PHONE],
  ['desk', DESK],
] as const)(
  'a push service that never answers is said, and Connect works again: %s',
  async (name, options) => {
    await using tab = await openTab(browser, world, options)
    const { page, context } = tab
    await context.grantPermissions(['notifications'], { origin: world.url })
    await context.addInitScript(blockedAtFirst, push.subscribe(name, { status: 201 }))
    await page.clock.install()
    await page.goto('/settings/devices')
    const connect = page.getByRole('button', { name: 'Connect', exact: true })
    await connect.click()
    const state = page.locator('[data-push-state]')
    await state.getByText('Connecting…').waitFor()
    expect(await connect.isDisabled()).toBe(true)
    await page.clock.fastForward(20_000)
    await state.getByText('did not answer in 15 seconds').waitFor()
    expect(await state.textContent()).toContain('try another network')
    expect(await connect.isEnabled()).toBe(true)
    const before = (await listSubscribers(world.db.read, world.workspaceId)).length
    await page.evaluate(() => (window as unknown as { openPush(): void }).openPush())
    await connect.click()
    await state.getByText('took the message').waitFor()
    expect((await listSubscribers(world.db.read, world.workspaceId)).length).toBe(before + 1)
    expect(tab.complaints).toEqual([])
  },
)

test('a push service that sends the browser away is said with what to do', async () => {
  await using tab = await openTab(browser, world, PHONE)
  await tab.context.grantPermissions(['notifications'], { origin: world.url })
  await tab.context.addInitScript(refused)
  await tab.page.goto('/settings/devices')
  await tab.page.getByRole('button', { name: 'Connect', exact: true }).click()
  const state = tab.page.locator('[data-push-state]')
  await state.getByText('Registration failed - push service error').waitFor()
  expect(await state.textContent()).toContain('ntfy topic')
  expect(tab.complaints).toEqual([])
})
