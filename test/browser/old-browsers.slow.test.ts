import { expect, setDefaultTimeout, test } from 'bun:test'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

test('a phone of 2019, which cannot read our modules, still answers and shows every control', async () => {
  await using tab = await openTab(browser, world, PHONE)
  // Such a browser stops at the first `?.` of a module; htmx is older than that and runs.
  const broken = { contentType: 'text/javascript', body: 'const a = ?.b' }
  await tab.context.route(/assets\/(page|live|device|push)\.\w*/, (route) => route.fulfill(broken))
  await tab.context.route('**/sw.js', (route) => route.fulfill(broken))
  const id = await world.ask()
  await tab.page.goto(`/d/${id}`)
  expect(await tab.page.getByText(/^until \d/).isVisible()).toBe(true)
  await tab.page.getByRole('button', { name: 'Yes' }).click()
  await tab.page.locator('.outcome, .just').waitFor()
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  expect([question?.status, question?.value]).toEqual(['answered', 'yes'])

  await tab.page.goto('/settings/devices')
  await tab.page.getByText('Connecting needs scripts').waitFor()
  await tab.page.getByRole('button', { name: 'Connect a phone' }).click()
  await tab.page.getByRole('link', { name: 'Has it paired?' }).waitFor()
})
