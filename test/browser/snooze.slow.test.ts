import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { PersonId } from '../../src/ask/accounts/model/ids.ts'
import { findPersonByEmail } from '../../src/ask/accounts/model/person-store.ts'
import { putSnooze } from '../../src/ask/questions/model/snooze-store.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'
import { preventUpdates } from './no-updates.ts'
import { openRow } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

describe.each([
  ['without scripts', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts', { ...PHONE, javaScriptEnabled: true }],
])('%s, on a phone', (_, options) => {
  test('a row is snoozed, shown again, and snoozed on its own page', async () => {
    const id = await world.ask({ question: 'Deploy it now?' })
    const other = await world.ask({ type: 'input', question: 'Which branch?' })
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto('/inbox')
    const card = await openRow(page, id)
    if (options.javaScriptEnabled) {
      await page.getByText('Live', { exact: true }).waitFor()
      await page.locator(`#typed-${other}`).fill('main')
    }
    await card.locator('.later > summary').click()
    await card.getByRole('button', { name: '5 minutes', exact: true }).click()
    const fold = page.locator('.snoozed > summary')
    await fold.getByText('Snoozed (1)').waitFor()
    const sentence = /^Deploy it now\? Snoozed until \d\d:\d\d( UTC)?\. It comes back by itself\.$/
    const status = page.locator('main').getByRole('status').filter({ hasText: 'Snoozed until' })
    expect((await status.textContent())?.trim()).toMatch(sentence)
    if (options.javaScriptEnabled)
      expect((await page.locator('#say').textContent())?.trim()).toMatch(sentence)
    expect(await page.locator(`#card-${id}`).count()).toBe(0)
    expect(await page.title()).toStartWith('(1) Inbox')
    if (options.javaScriptEnabled)
      expect(await page.locator(`#typed-${other}`).inputValue()).toBe('main')

    await fold.click()
    await page.getByRole('button', { name: 'Show again' }).click()
    await page.locator(`#card-${id}`).waitFor()
    expect(await page.locator('.snoozed').count()).toBe(0)
    expect(await status.count()).toBe(0)
    expect(await page.title()).toStartWith('(2) Inbox')

    await page.goto(`/d/${id}`)
    await page.locator('.later > summary').click()
    await page.getByRole('button', { name: 'Until a minute before it ends' }).click()
    await page.getByText('Snoozed until').waitFor()
    expect(new URL(page.url()).pathname).toBe('/inbox')
    await page.locator('.snoozed > summary').click()
    await page.locator('.snoozed a').click()
    await page.locator('.later > summary').click()
    await page.getByRole('button', { name: 'Show again' }).click()
    await page.locator('.later > summary').getByText('Later').waitFor()
    await page.getByRole('button', { name: 'No' }).click()
    await page.locator('.verdict, .just').waitFor()
    await page.goto(`/d/${other}`)
    await page.locator(`#typed-${other}`).fill('main')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.locator('.verdict, .just').waitFor()
    expect(tab.complaints).toEqual([])
  })
})

test('one that comes back appears in an open page, and what is being typed stays', async () => {
  const id = await world.ask({ question: 'Back soon?' })
  const other = await world.ask({ type: 'input', question: 'Which branch?' })
  const person = await findPersonByEmail(world.db.read, 'mara@example.org')
  const snooze = { personId: person?.id as PersonId, questionId: id, until: Date.now() + 4_000 }
  await world.db.write((tx) => putSnooze(tx, snooze))
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/inbox')
  await page.getByText('Live', { exact: true }).waitFor()
  const field = page.locator(`#typed-${other}`)
  await field.fill('mai')
  expect(await page.locator(`#card-${id}`).count()).toBe(0)
  await page.locator(`#card-${id}`).waitFor()
  await page.keyboard.type('n')
  expect(await field.inputValue()).toBe('main')
  expect(await page.locator('.snoozed').count()).toBe(0)
  expect(await page.locator('#badge').textContent()).toStartWith('2')
  await world.post(`/d/${id}/stop`, { from: 'inbox' })
  await world.post(`/d/${other}/stop`, { from: 'inbox' })
  expect(tab.complaints).toEqual([])
})

test.each([360, 390])(
  'on a phone of %d pixels what else can be done is in one line',
  async (width) => {
    const id = await world.ask({ question: 'Deploy it now?' })
    const person = await findPersonByEmail(world.db.read, 'mara@example.org')
    const snooze = { personId: person?.id as PersonId, questionId: id, until: Date.now() + 240_000 }
    await world.db.write((tx) => putSnooze(tx, snooze))
    await using tab = await openTab(browser, world, { ...PHONE, viewport: { width, height: 780 } })
    const { page } = tab
    await page.goto(`/d/${id}`)
    const links = page.locator('.extras summary')
    expect(await links.allTextContents()).toEqual(['Add a note', 'Snoozed', 'Stop the agent'])
    const tops = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    await world.post(`/d/${id}/stop`, { from: 'inbox' })
  },
)

test('what has ended meanwhile says so in its place', async () => {
  const id = await world.ask({ question: 'Too late?' })
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await preventUpdates(page)
  await page.goto('/inbox')
  const card = await openRow(page, id)
  await card.locator('.later > summary').click()
  await world.post(`/d/${id}/answer`, { from: 'inbox', value: 'no' })
  await card.getByRole('button', { name: '5 minutes', exact: true }).click()
  await page.locator(`#card-${id}`).getByText('Too late:').waitFor()
})
