import { expect, setDefaultTimeout, test } from 'bun:test'
import { violations } from './axe.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

test.each([
  ['without scripts', false],
  ['with scripts', true],
])(
  'somebody is invited, sets a name and a password on a phone, and is removed: %s',
  async (how, javaScriptEnabled) => {
    const email = `ina-${javaScriptEnabled}@example.org`
    await using desk = await openTab(browser, world, { ...DESK, javaScriptEnabled })
    const { page } = desk
    await page.goto('/settings/people')
    await page.getByText('Invite somebody').click()
    await page.getByLabel('E-mail').fill('nobody')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.getByRole('alert').getByText('must be an e-mail address').waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe('nobody')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Name').fill('Ina')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor()
    const copy = page.getByRole('button', { name: 'Copy' })
    expect([how, await copy.isVisible()]).toEqual([how, javaScriptEnabled])
    const link = (await page.locator('.secret pre').textContent())?.trim() ?? ''
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])

    const stranger = { url: world.url, cookie: '' }
    await using phone = await openTab(browser, stranger, { ...PHONE, javaScriptEnabled })
    await phone.page.goto(link.slice(new URL(link).origin.length))
    expect(await phone.page.getByLabel('Name').inputValue()).toBe('Ina')
    await phone.page.getByLabel('Name').fill('Ina Berg')
    await phone.page.getByLabel('Password').fill('a horse of another colour')
    await phone.page.getByRole('button', { name: 'Set the password' }).click()
    await phone.page.waitForURL(`${world.url}/`)
    await phone.page.getByText('Connect this').first().waitFor({ state: 'attached' })

    await page.goto('/settings/people')
    const card = page.locator('.thing', { hasText: 'Ina Berg' })
    await card.getByText('Remove', { exact: true }).click()
    const remove = page.getByRole('button', { name: 'Remove Ina Berg' })
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])
    expect((await remove.boundingBox())?.height).toBeGreaterThan(30)
    await remove.click()
    await page.locator('.thing', { hasText: 'Ina Berg' }).waitFor({ state: 'detached' })
    await phone.page.goto('/')
    await phone.page.waitForURL('**/sign-in**')
    expect([...desk.complaints, ...phone.complaints]).toEqual([])
  },
)
