import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { questions } from '../../src/ask/questions/model/table.ts'
import { missHooks, sightHook } from '../../src/ask/scopes/model/hook-store.ts'
import { insertContract } from '../../src/ask/scopes/model/store.ts'
import { countUnanswered, findSession } from '../../src/ask/sessions/model/store.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const { world, browser } = await openWorld()

let n = 0
/** A session of its own, so that the tests do not see each other's. */
async function session(name: string) {
  const key = { machineId: 'm1', sessionId: `session-${n++}` }
  return { key, id: await world.work({ ...key, agentName: `Codex - ${name}` }) }
}

async function pause(key: { machineId: string; sessionId: string }) {
  const { workspaceId, db } = world
  for (let i = 0; i < 3; i++) {
    await db.write((tx) => countUnanswered(tx, { workspaceId, ...key }, 'unanswered'))
  }
}

/** A scope holds, and the hook that reported the session is missed. */
async function goOnWithoutHook(key: { machineId: string; sessionId: string }) {
  const { workspaceId, db } = world
  const now = Date.now()
  const questionId = await world.ask({ ...key, question: 'Agree to this scope?' })
  await db.write(async (tx) => {
    await tx
      .update(questions)
      .set({ origin: 'scope', status: 'answered', value: 'yes', endedAt: now })
      .where(eq(questions.id, questionId))
    await insertContract(tx, {
      ...{ questionId, workspaceId, sessionId: key.sessionId, test: false, edited: false },
      ...{ allowedPaths: ['src'], offLimitsPaths: [], promises: [], doneWhen: 'It is done.' },
      ...{ ratifiedBy: undefined, ratifiedAt: now, expiresAt: now + 60 * 60_000 },
    })
    const hook = { ...key, workspaceId, client: 'codex' }
    await sightHook(tx, { ...hook, at: now - 5 * 60_000, ended: false })
    await missHooks(tx, hook, now - 60_000, now)
  })
}

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a desk', DESK],
])('%s', (_, options) => {
  test('a question is answered on the live page, where it stands', async () => {
    await using tab = await openTab(browser, world, options)
    const { key, id } = await session('answers')
    const question = await world.ask({ ...key, question: 'Go on here?' })
    await tab.page.goto(`/live/${id}`)
    const card = tab.page.locator(`#card-${question}`)
    await card.getByRole('button', { name: 'Yes' }).click()
    await card.getByText('Answered').waitFor()
    expect(new URL(tab.page.url()).pathname).toBe(`/live/${id}`)
    const stored = await findQuestion(world.db.read, world.workspaceId, question)
    expect([stored?.value, stored?.answerSource]).toEqual(['yes', 'live_page'])
    expect(tab.complaints).toEqual([])
  })

  test('a hook that stopped reporting is said in the list and on the live page', async () => {
    await using tab = await openTab(browser, world, options)
    const { key, id } = await session('silent')
    await goOnWithoutHook(key)
    const sentence =
      /hook (of this session )?stopped reporting at \d\d:\d\d.* Nothing has enforced (its|the) scope since\./i
    await tab.page.goto('/sessions')
    await tab.page.locator(`#session-${id}`).getByText(sentence).waitFor()
    await tab.page.goto(`/live/${id}`)
    await tab.page.locator('#agreed').getByText(sentence).waitFor()
    expect(tab.complaints).toEqual([])
  })

  test('the agent is stopped from the live page', async () => {
    await using tab = await openTab(browser, world, options)
    const { key, id } = await session('stops')
    const question = await world.ask(key)
    await tab.page.goto(`/live/${id}`)
    const card = tab.page.locator(`#card-${question}`)
    await card.getByText('Stop the agent').click()
    await card.getByRole('button', { name: 'Stop it now' }).click()
    await card.locator('.status').getByText('Stopped').waitFor()
    const stored = await findQuestion(world.db.read, world.workspaceId, question)
    expect(stored?.status).toBe('stopped')
  })

  test('a paused session is resumed from the list and from its page', async () => {
    await using tab = await openTab(browser, world, options)
    const { key, id } = await session('pauses')
    for (const path of ['/sessions', `/live/${id}`]) {
      await pause(key)
      await tab.page.goto(path)
      const resume = tab.page.getByRole('button', { name: 'Resume' })
      await resume.click()
      await resume.waitFor({ state: 'detached' })
      expect(new URL(tab.page.url()).pathname).toBe(path)
      expect((await findSession(world.db.read, world.workspaceId, id))?.unanswered).toBe(0)
    }
  })
})

test('the list follows what sessions do, the blocked move up', async () => {
  await using tab = await openTab(browser, world)
  const one = await session('first-seen')
  const two = await session('second-seen')
  await tab.page.goto('/sessions')
  await tab.page.getByText('Live', { exact: true }).waitFor()
  const row = (id: string) => tab.page.locator(`#session-${id}`)
  await row(one.id).getByText('At work').waitFor()
  await world.work({ ...one.key, lastAction: 'bun test --watch' })
  await row(one.id).getByText('bun test --watch').waitFor()
  await world.work({ ...two.key, errored: true, lastAction: 'It broke' })
  await row(two.id).getByText('Error').waitFor()
  const question = await world.ask({ ...one.key, question: 'May I?' })
  await world.work(one.key)
  await row(one.id).getByText('Waits for you').waitFor()
  const order = await tab.page
    .locator('#sessions > li')
    .evaluateAll((all) => all.map((it) => it.id))
  expect(order.indexOf(`session-${one.id}`)).toBeLessThan(order.indexOf(`session-${two.id}`))
  await world.post(`/d/${question}/answer`, { value: 'yes' })
  await row(one.id).getByText('At work').waitFor()
  expect(tab.complaints).toEqual([])
})

test('the page of a session shows its new questions and notifications, and nothing of others', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const mine = await session('watched')
  const other = await session('not-watched')
  await tab.page.goto(`/live/${mine.id}`)
  await tab.page.getByText('Live', { exact: true }).waitFor()
  await world.ask({ ...other.key, question: 'Somebody else?' })
  await world.tell({ ...mine.key, title: 'Half of it is done' })
  await tab.page.locator('#feed').getByText('Half of it is done').waitFor()
  const question = await world.ask({ ...mine.key, question: 'Merge it now?' })
  const card = tab.page.locator(`#card-${question}`)
  await card.getByRole('button', { name: 'Yes' }).waitFor()
  await tab.page.locator('#session').getByText('Waits for you').waitFor()
  await world.post(`/d/${question}/answer`, { value: 'no' })
  await card.getByText('Answered').waitFor()
  const contract = { allowedPaths: ['src/live/**'], offLimitsPaths: [], doneWhen: 'Green' }
  const yes = { status: 'answered', value: 'yes', endedAt: Date.now() } as const
  await world.ask({ ...mine.key, ...yes, origin: 'scope', detail: { contract } })
  await tab.page.locator('#agreed').getByText('src/live/**').waitFor()
  expect(await tab.page.getByText('Somebody else?').count()).toBe(0)
  expect(tab.complaints).toEqual([])
})
