import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { sideways, violations } from './axe.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

const { world, browser } = await openWorld()
const bo = await addPersonWithPassword(
  { db: world.db, clock },
  { email: 'bo@example.org', name: 'Bo Berg', role: 'member' },
)

/** Moves the focus forward to what the keyboard would press. */
async function tabTo(page: Page, name: RegExp) {
  for (let n = 0; n < 80; n++) {
    await page.keyboard.press('Tab')
    const held = await page.evaluate(() => {
      const one = document.activeElement
      const labels = one instanceof HTMLInputElement ? [...(one.labels ?? [])] : []
      return [...labels, one].map((part) => part?.textContent?.trim() ?? '').join(' ')
    })
    if (name.test(held)) return
  }
  throw new Error(`Tab does not lead to ${name}`)
}

async function fine(page: Page) {
  expect(await violations(page)).toEqual([])
  expect(await sideways(page)).toBeLessThanOrEqual(1)
}

test('an owner sets up a rota by the keyboard, somebody takes a turn over, and a member looks', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/settings/rotas')
  await page.getByText('No rotas yet').waitFor()
  await tabTo(page, /^Add a rota/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Name').fill('platform')
  await page.getByLabel('People, in their order').fill('stranger@example.org')
  await fine(page)
  await tabTo(page, /^Add$/)
  await page.keyboard.press('Enter')
  await page.getByText('stranger@example.org is none').first().waitFor()
  await fine(page)
  expect(await page.getByLabel('Name').inputValue()).toBe('platform')
  await page.getByLabel('People, in their order').fill('bo@example.org')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('heading', { name: 'platform' }).waitFor()
  await page.getByText('Add one').click()
  await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Mara Lindqvist' })
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('From, day').fill(day(-1))
  await page.getByLabel('From, time').fill('09:00')
  await page.getByLabel('To, day').fill(day(2))
  await page.getByLabel('To, time').fill('09:00')
  await fine(page)
  const form = page.locator('form[action$="/overrides"]')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Mara Lindqvist takes over').waitFor()
  await fine(page)
  const place = page.url()

  await using other = await openTab(
    browser,
    { url: world.url, cookie: await signInAs(world.app, bo.id) },
    PHONE,
  )
  await other.page.goto(place)
  await other.page.getByText('An owner of this workspace changes').waitFor()
  expect(await other.page.locator('main form').count()).toBe(0)
  await fine(other.page)
  expect([...tab.complaints, ...other.complaints]).toEqual([])
}, 120_000)
