import { expect, setDefaultTimeout, test } from 'bun:test'
import { recordError, recordSuccess } from '../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { connect } from '../support/devices.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

test('health does not say that nothing is broken above four devices that fail', async () => {
  const { db, workspaceId } = world
  await createToken({ db, clock: systemClock }, { workspaceId, name: 'Laptop' })
  const labels = ['Desk', 'Pixel', 'Tablet', 'iPhone', 'Old phone']
  const devices = await connect(db, ...labels.map((label) => ({ label, workspaceId })))
  const [works, ...fail] = devices.map(({ id }) => id)
  await db.write(async (tx) => {
    await recordSuccess(tx, works ? [works] : [], Date.now())
    await recordError(tx, fail, Date.now(), 'the push service answered 403')
  })
  await using tab = await openTab(browser, world, PHONE)
  await tab.page.goto('/settings/health')
  const text = await tab.page.locator('.page-head + .result').textContent()
  expect(text).not.toContain('Nothing is broken')
  expect(text).toMatch(/links? needs? a look/)
  expect(tab.complaints).toEqual([])
})

test('a declined question has no tick, neither on its page nor in a list', async () => {
  const ended = { status: 'answered', endedAt: Date.now(), answerSource: 'inbox' } as const
  const approval = { detail: { action: 'npm publish' } }
  const no = await world.ask({ ...ended, ...approval, value: 'no' })
  const yes = await world.ask({ ...ended, ...approval, value: 'yes' })
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const look = async (id: string) => {
    await page.goto('/activity')
    const inList = await page.locator(`[data-key="${id}"] .dot`).getAttribute('class')
    await page.goto(`/d/${id}`)
    const seal = await page.locator('.outcome').getAttribute('class')
    return [seal, await page.locator('.verdict').textContent(), inList]
  }
  expect(await look(no)).toEqual(['outcome calm', 'Declined', 'dot calm'])
  expect(await look(yes)).toEqual(['outcome good', 'Approved', 'dot good'])
})

test('a member cannot choose the password "password"; the field says why', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/settings/password')
  await page.getByLabel('Current password').fill('correct horse battery')
  await page.getByLabel('New password').fill('password')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.locator('#newPassword-wrong', { hasText: 'commonest passwords' }).waitFor()
  const field = page.getByLabel('New password')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('mara likes boats')
  await page.getByLabel('Current password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.locator('#newPassword-wrong', { hasText: 'your name' }).waitFor()
  expect(tab.complaints).toEqual([])
})
