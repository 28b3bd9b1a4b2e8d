import { expect, setDefaultTimeout, test } from 'bun:test'
import { recordError, recordSuccess } from '../../src/ask/subscribers/model/store.ts'
import { connect } from '../support/devices.ts'
import { violations } from './axe.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()
const { db, workspaceId } = world

const labels = ['Laptop', 'Pixel', 'Tablet', 'Display', 'Old phone']
const devices = await connect(
  db,
  ...labels.map((label, i) => ({ workspaceId, label, createdAt: 1_000 + i })),
)
const ids = devices.map(({ id }) => id)
const failing = ids[4] ?? 'sub_'
await db.write(async (tx) => {
  await recordSuccess(tx, ids, Date.now() - 3_600_000)
  await recordError(tx, [failing], Date.now() - 60_000, 'It answered 503.')
})

test.each([
  ['on a phone', PHONE],
  ['on a desk', DESK],
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
])(
  'a device is a row that unfolds; one that fails comes first, says why once, and has the cure: %s',
  async (_, options) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto('/settings/devices')
    const rows = page.locator('#devices > li')
    expect(await rows.locator('.thing-name').allTextContents()).toEqual([
      'Old phone',
      ...labels.slice(0, 4),
    ])
    expect(await page.getByText('It answered 503.').count()).toBe(1)
    const buttons = page.getByRole('button', { name: 'Send test' })
    expect(await buttons.count()).toBe(1)
    await rows.nth(1).locator('summary').first().click()
    expect(await buttons.count()).toBe(2)
    // No form stands open, and the list is in sight.
    expect(await page.locator('#devices').getByRole('textbox').count()).toBe(0)
    const top = await rows.first().boundingBox()
    expect(top?.y).toBeLessThan(options.viewport.height)
    await rows.first().getByText('Remove', { exact: true }).click()
    expect(await rows.first().getByRole('button', { name: 'Remove it' }).isVisible()).toBe(true)
    if (!('javaScriptEnabled' in options)) expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Add another way' }).click()
    await page.getByRole('heading', { name: 'Add a device' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByText('Add an ntfy topic').click()
    expect(await page.getByLabel('Address of the topic').isVisible()).toBe(true)
    if (!('javaScriptEnabled' in options)) expect(await violations(page)).toEqual([])
    expect(tab.complaints).toEqual([])
  },
)
