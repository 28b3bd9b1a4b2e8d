import { expect, test } from 'bun:test'
import { pageWorld } from '../support/page-world.ts'
import { openChromium, openTab } from './chromium.ts'

const browser = await openChromium()

test('the owner sets up with a passkey alone, signs out, and in again with one tap', async () => {
  await using world = await pageWorld({ owner: false })
  // Passkeys belong to a name, never to an address.
  const url = world.url.replace('127.0.0.1', 'localhost')
  await using tab = await openTab(browser, { url, cookie: '' })
  const { page, context } = tab
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })

  await page.goto(`/setup?key=${world.setUpKey}`)
  await page.getByLabel('Name').fill('Mara Lindqvist')
  await page.getByLabel('E-mail').fill('mara@example.org')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Welcome, Mara' }).waitFor()

  // The key is already there, and nothing of an earlier try is left on the page.
  await page.goto('/settings/passkeys')
  const add = page.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  await page.getByText('You have a passkey on this device already.').waitFor()
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
  await add.click()
  await page.getByText('This passkey signs you in from now on.').waitFor()
  expect(await page.locator('#problem').isVisible()).toBe(false)
  await add.click()
  await page.getByText('You have a passkey on this device already.').waitFor()
  expect(await page.locator('#passkey-said').textContent()).toBe('')

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'Welcome, Mara' }).waitFor()
  expect(tab.complaints).toEqual([])
}, 60_000)

test('the link makes the owner once, with a password and without scripts', async () => {
  await using world = await pageWorld({ owner: false })
  await using tab = await openTab(browser, world, { javaScriptEnabled: false })
  const { page } = tab
  await page.goto(`/setup?key=${world.setUpKey}`)
  await page.getByLabel('Name').fill('Mara')
  await page.getByLabel('E-mail').fill('mara@example.org')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { name: 'Welcome, Mara' }).waitFor()
  await page.getByText('Connect this browser or a phone').waitFor()

  await page.goto(`/setup?key=${world.setUpKey}`)
  await page.getByRole('heading', { name: 'Welcome, Mara' }).waitFor()
  await tab.context.clearCookies()
  await page.goto(`/setup?key=${world.setUpKey}`)
  await page.getByRole('heading', { name: 'This link is used up' }).waitFor()
}, 60_000)
