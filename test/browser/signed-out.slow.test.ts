import { expect, test } from 'bun:test'
import { openTab, openWorld, PHONE } from './chromium.ts'

const { world, browser } = await openWorld()

test('a page whose sign-in was ended elsewhere shows nothing of it any more', async () => {
  await world.ask({ question: 'Drop the table?' })
  const cookie = await world.otherBrowser()
  await using tab = await openTab(browser, { url: world.url, cookie }, PHONE)
  await tab.page.goto('/inbox')
  await tab.page.locator('#live[data-state=live]').waitFor()
  expect(await tab.page.getByText('Drop the table?').count()).toBeGreaterThan(0)
  expect((await world.post('/settings/passkeys/sign-out', {})).status).toBe(303)
  await tab.page.waitForURL(/\/sign-in/)
  expect(await tab.page.getByText('Drop the table?').count()).toBe(0)
}, 60_000)

test('without scripts one signs out another browser, and sees that it is done', async () => {
  const other = await world.otherBrowser()
  const options = { ...PHONE, javaScriptEnabled: false }
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  await page.goto('/settings/passkeys')
  const card = page.locator('.sign-ins .thing').nth(1)
  await card.getByText('Sign out', { exact: true }).click()
  await card.getByRole('button', { name: 'Sign it out' }).click()
  await page.getByText('It is signed out.').waitFor()
  expect((await world.get('/settings', other)).status).toBe(303)
}, 60_000)
