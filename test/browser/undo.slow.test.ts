import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../support/page-world.ts'
import { until } from '../support/until.ts'
import { DESK, openChromium, openTab, PHONE } from './chromium.ts'
import { openRow } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const browser = await openChromium()
let world: PageWorld
let token: string
let stoppedAt: number | undefined
const clock = { ...systemClock, now: () => stoppedAt ?? Date.now() }
/** The server's clock stands still: on a busy machine five seconds are over before a tap. */
const stopClock = () => {
  stoppedAt = Date.now()
}
const startClock = () => {
  stoppedAt = undefined
}
afterEach(startClock)
beforeAll(async () => {
  world = await pageWorld({ undo: true, clock })
  const { workspaceId, db } = world
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent' })).token
})
afterAll(() => world[Symbol.asyncDispose]())

type Result = { answered?: boolean; value?: string; status: string }

/** An agent asks and waits; `heard` is true once its call has returned. */
async function ask(question: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ question, wait: false })
  const url = `${world.url}/api/v1/questions`
  const response = await fetch(url, { method: 'POST', headers, body })
  const { correlationId: id } = (await response.json()) as { correlationId: QuestionId }
  const agent = { id, heard: false, result: Promise.resolve({} as Result) }
  agent.result = fetch(`${url}/${id}?timeoutMs=55000`, { headers }).then(async (reply) => {
    agent.heard = true
    return (await reply.json()) as Result
  })
  const waits = async () =>
    (await findQuestion(world.db.read, world.workspaceId, id))?.detail.waitsUntil !== undefined
  await until(waits)
  return agent
}

const ways = [
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ['with scripts, on a desk', DESK],
] as const
const yes = (page: Page) => page.getByRole('button', { name: /^Yes/ }).first()
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })

test.each(ways)(
  '%s: Undo opens the question again, and the agent hears the second answer',
  async (name, options) => {
    const one = await ask(`One ${name}?`)
    const two = await ask(`Two ${name}?`)
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto(`/d/${one.id}`)
    stopClock()
    await yes(page).click()
    await page.getByRole('heading', { name: `Two ${name}?` }).waitFor()
    expect(await page.locator('.just').textContent()).toContain(`Yes: One ${name}?`)
    await undo(page).click()
    await page.getByRole('heading', { name: `One ${name}?` }).waitFor()
    await page.getByText('Taken back').waitFor()
    expect(one.heard).toBe(false)
    await page.getByRole('button', { name: 'No' }).click()
    await undo(page).waitFor()
    startClock()
    expect(await one.result).toMatchObject({ answered: true, value: 'no' })
    await page.goto(`/d/${two.id}`)
    stopClock()
    await yes(page).click()
    // Nothing else waits: its own page says when it is sent.
    await page.getByText('has not been told yet').waitFor()
    expect(two.heard).toBe(false)
    startClock()
    expect(await two.result).toMatchObject({ value: 'yes' })
    if (options !== ways[0][1]) await page.getByText('The agent was told “yes”').waitFor()
    expect(tab.complaints).toEqual([])
  },
)

test.each(ways)(
  '%s: in the inbox the row counts down, and Undo opens it',
  async (name, options) => {
    const one = await ask(`Row one ${name}?`)
    const two = await ask(`Row two ${name}?`)
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto('/inbox')
    const row = await openRow(page, one.id)
    // A browser on a busy machine may count to the end before it is looked at.
    const countdown = row.getByText(/^(Sent in|Sending)/)
    stopClock()
    await row.getByRole('button', { name: 'Yes' }).click()
    await countdown.waitFor()
    await row.getByRole('button', { name: 'Undo' }).click()
    await row.getByRole('button', { name: 'No' }).waitFor()
    await row.locator('[data-answers]:not([inert])').waitFor()
    expect(one.heard).toBe(false)
    await row.getByRole('button', { name: 'No' }).click()
    await countdown.waitFor()
    startClock()
    expect(await one.result).toMatchObject({ value: 'no' })
    if (options !== ways[0][1]) {
      await countdown.waitFor({ state: 'detached' })
      expect(await row.getByText('by you').count()).toBe(1)
    }
    await (await openRow(page, two.id)).getByRole('button', { name: 'No' }).click()
    await two.result
    expect(tab.complaints).toEqual([])
  },
)

test('another tab and another person see it as answered, and another person has no Undo', async () => {
  const one = await ask('Two tabs?')
  await using tab = await openTab(browser, world, DESK)
  await using other = await openTab(
    browser,
    { ...world, cookie: await world.otherBrowser() },
    PHONE,
  )
  await Promise.all([tab.page.goto(`/d/${one.id}`), other.page.goto(`/d/${one.id}`)])
  stopClock()
  await yes(tab.page).click()
  await undo(tab.page).waitFor()
  // The same person can take it back there as well.
  await undo(other.page).click()
  await other.page.getByText('Taken back').waitFor()
  await yes(tab.page).waitFor()
  await yes(other.page).click()
  await undo(other.page).waitFor()
  const late = await world.post(`/d/${one.id}/answer`, { value: 'no' })
  expect(late.headers.get('location')).toBe(`/d/${one.id}?late`)
  startClock()
  expect(await one.result).toMatchObject({ value: 'yes' })
  const undone = await world.post(`/d/${one.id}/undo`, {})
  expect([undone.status, await undone.text()]).toEqual([
    422,
    expect.stringContaining('too late to undo'),
  ])
})

test('by keyboard `u` takes the last answer back', async () => {
  const one = await ask('By key?')
  await using tab = await openTab(browser, world, DESK)
  const { page } = tab
  await page.goto(`/d/${one.id}`)
  await page.locator('.answers:not([inert])').waitFor()
  stopClock()
  await page.keyboard.press('y')
  await page.keyboard.press('Enter')
  await undo(page).waitFor()
  await page.keyboard.press('u')
  await page.getByText('Taken back').waitFor()
  expect(one.heard).toBe(false)
  startClock()
  await yes(page).click()
  expect(await one.result).toMatchObject({ value: 'yes' })
})

test('what the agent does not wait for long enough, and what is switched off, is sent at once', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const soon = Date.now() + 10_000
  const hook = await world.ask({
    question: 'A hook?',
    waitEndsAt: soon,
    detail: { toolTarget: 'npm test', hookWaitsUntil: soon },
  })
  await page.goto(`/d/${hook}`)
  await yes(page).click()
  await page.getByText('The agent was told').waitFor()
  await page.goto('/settings')
  await page.getByRole('link', { name: /Undo/ }).click()
  await page.getByRole('checkbox', { name: 'Five seconds' }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  const off = await ask('Switched off?')
  await page.goto(`/d/${off.id}`)
  await yes(page).click()
  await page.getByText('The agent was told').waitFor()
  expect(await off.result).toMatchObject({ value: 'yes' })
  await page.goto('/settings/undo')
  await page.getByRole('checkbox', { name: 'Five seconds' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
})
