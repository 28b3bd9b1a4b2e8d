import { expect, setDefaultTimeout, test } from 'bun:test'
import { paths } from '../../src/ask/pages/paths.ts'
import { connect } from '../support/devices.ts'
import { openTab, openWorld } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const { world, browser } = await openWorld()

test('j, k, ? and / work on every signed-in page', async () => {
  const { db, workspaceId } = world
  await connect(db, { label: 'Desk', workspaceId }, { label: 'Pixel', workspaceId })
  const id = await world.ask()
  const session = await world.work()
  await using tab = await openTab(browser, world)
  const { page } = tab
  const fixed = Object.values(paths).filter((path) => !path.includes(':'))
  const wrong: string[] = []
  const moved: string[] = []
  for (const path of [...fixed, `/d/${id}`, `/live/${session}`]) {
    const { headers, status } = await world.get(path)
    if (status !== 200 || !headers.get('content-type')?.startsWith('text/html')) continue
    await page.goto(path)
    if ((await page.locator('.nav').count()) === 0) continue
    await page.keyboard.press('?')
    if (!(await page.getByRole('dialog', { name: 'Keys' }).isVisible())) wrong.push(`? on ${path}`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const here = page.locator('.here')
    if ((await here.count()) > 0) {
      moved.push(path)
      const isFocused = await here.evaluate((row) => row.contains(document.activeElement))
      if (!isFocused) wrong.push(`j on ${path}`)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('/')
    await page
      .waitForFunction(() => document.activeElement?.matches('[data-search]'))
      .catch(() => wrong.push(`/ on ${path}`))
  }
  expect(wrong).toEqual([])
  for (const path of ['/', '/settings', '/activity', '/sessions', '/settings/devices'])
    expect(moved).toContain(path)
  expect(tab.complaints).toEqual([])
})
