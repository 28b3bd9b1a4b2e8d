import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Route } from 'playwright-core'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

test.each([
  ['phone', PHONE],
  ['desk', DESK],
])('a tab that outlived an update offers to reload: %s', async (_, options) => {
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  await page.goto('/inbox')
  await page.locator('#live[data-state="live"]').waitFor()
  const reload = page.getByRole('button', { name: 'Updated: reload' })
  const before = await world.ask()
  await page.locator(`#card-${before}`).waitFor()
  expect(await reload.count()).toBe(0)
  // What the server of the next version answers.
  const next = async (route: Route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/(\/assets\/live\.)[\w-]+/, '$1NEXTNEXT1')
    await route.fulfill({ response, body })
  }
  await page.route('**/inbox?*', next)
  await page.route('**/inbox', next)
  await world.ask()
  await reload.waitFor()
  const box = await reload.boundingBox()
  expect(box && box.x + box.width).toBeLessThanOrEqual(options.viewport.width)
  await page.unrouteAll()
  await reload.click()
  await page.locator('#live[data-state="live"]').waitFor()
  expect(await reload.count()).toBe(0)
  expect(tab.complaints).toEqual([])
})
