import { expect, setDefaultTimeout, test } from 'bun:test'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { callOverMcp } from '../support/agent-faces.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { until } from '../support/until.ts'
import { openTab, openWorld, PHONE, type Tab } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()
const { db, workspaceId } = world
const clock = systemClock
const { token } = await createToken({ db, clock }, { workspaceId, name: 'Laptop' })

const ask = (question: string, more = {}) =>
  callOverMcp('2025-11-25', world.url, token, { question, timeoutMs: 40_000, ...more })

/** Opens the inbox, and waits until the server knows whether somebody can see it. */
async function openInbox({ page }: Tab, visible = true) {
  const response = page.waitForResponse(
    (response) =>
      response.url().endsWith('/visible-pages') &&
      response.request().postDataJSON().visible === visible,
  )
  await page.goto('/inbox')
  expect((await response).status()).toBe(204)
}

/** How many pages follow what happens. */
async function streams(): Promise<number> {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  return Number(/^beckon_event_streams (\d+)/m.exec(text)?.[1])
}

/** What a browser does with a tab that is in the background. */
function inBackground() {
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  Object.defineProperty(document, 'hidden', { get: () => true })
}

test('a question waits for somebody who has the inbox open, and is answered there', async () => {
  await using tab = await openTab(browser, world, PHONE)
  await openInbox(tab)
  const asking = ask('Deploy from the page?')
  const card = tab.page.locator('[data-key]', { hasText: 'Deploy from the page?' })
  await card.getByRole('button', { name: 'Yes' }).click()
  const result = await asking
  expect(result).toMatchObject({ status: 'answered', value: 'yes', answerSource: 'inbox' })
  expect(result.delivery).toEqual({ web: 0, mobile: 0 })
  expect(result).not.toHaveProperty('noDevices')
  expect(tab.complaints).toEqual([])
})

test('a page that goes to the background or is closed receives nothing', async () => {
  await using tab = await openTab(browser, world, PHONE)
  await openInbox(tab)
  const hidden = tab.page.waitForResponse((response) => response.url().endsWith('/visible-pages'))
  await tab.page.evaluate(inBackground)
  await tab.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  expect((await hidden).status()).toBe(204)
  const none = { status: 'pending', noDevices: true, nextAction: 'ask_in_current_client' }
  expect(await ask('In the background?')).toMatchObject(none)

  await using other = await openTab(browser, world, PHONE)
  await openInbox(other)
  await other.page.close()
  await tab.page.close()
  await until(async () => (await streams()) === 0)
  expect(await ask('Closed?')).toMatchObject(none)
})

test('the page of somebody whom the target leaves out does not count', async () => {
  const who = { email: 'bo@example.org', name: 'Bo', role: 'member' as const }
  const { id } = await addPersonWithPassword({ db, clock }, who)
  await using tab = await openTab(browser, {
    url: world.url,
    cookie: await signInAs(world.app, id),
  })
  await openInbox(tab)
  expect(await ask('For the tag?', { tags: ['nobody'] })).toMatchObject({
    status: 'pending',
    noDevices: true,
  })
})
