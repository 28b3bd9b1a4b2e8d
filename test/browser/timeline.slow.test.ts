import { expect, setDefaultTimeout, test } from 'bun:test'
import { insertDeliveries } from '../../src/ask/delivery/model/store.ts'
import { putTallies } from '../../src/ask/questions/model/tally-store.ts'
import { countUnanswered } from '../../src/ask/sessions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { unsent } from '../../src/platform/db/outbox-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { aDevice, connect } from '../support/devices.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(120_000)

const { world, browser } = await openWorld()
const { db, workspaceId } = world
const repoKey = 'github.com/acme/größe/../shop'
const S1 = { machineId: 'm1', sessionId: 's1' }
const YES = { status: 'answered', value: 'yes', answerSource: 'inbox' } as const

const live = await world.work({ ...S1, repoKey, branch: 'topic', machineName: 'laptop' })
await world.ask({ ...YES, ...S1, repoKey, question: 'Done?', endedAt: Date.now() }, 60_000)
for (let i = 0; i < 40; i++) {
  await world.tell({ ...S1, title: `Step ${i}.` }, (i + 2) * 60_000)
}
const rows = ['', repoKey].map((key) => ({
  ...{ workspaceId, repoKey: key, at: Date.now() - 86_400_000, byPerson: 4, byRule: 2 },
  ...{ unanswered: 1, withdrawn: 1, times: { 30: 3, 50: 1 } },
}))
await db.write((tx) => putTallies(tx, workspaceId, rows, Date.now() - 900_000))

async function sentTo(subjectId: QuestionId) {
  const [device] = await connect(db, aDevice({ workspaceId, label: 'Phone' }))
  if (!device) throw new Error('nothing was connected')
  const now = Date.now()
  const message = { kind: 'question', title: 't', body: 'b', tag: subjectId, url: '/' } as const
  const row = {
    ...unsent(now, now + 60_000),
    ...{ id: newId('dl', now), workspaceId, subjectId, subscriberId: device.id, kind: device.kind },
    ...{ message: { ...message, urgency: 'high' as const }, state: 'accepted' as const },
    endedAt: now,
    shownAt: null,
    openedAt: null,
    seal: null,
    messageRef: null,
  }
  await db.write(async (tx) => {
    await insertDeliveries(tx, [row])
    tx.emit('subscriber', workspaceId)
  })
}

const SIZES = [
  ['a phone', PHONE],
  ['a desktop', DESK],
] as const
const ways = SIZES.flatMap(([name, size]) =>
  [true, false].map((scripts) => ({
    name: `${name}, ${scripts ? 'with' : 'without'} scripts`,
    options: { ...size, javaScriptEnabled: scripts },
  })),
)

test.each(ways)(
  'from the sessions to the timeline, a question, the repository and back by taps: $name',
  async ({ options }) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const at = async (path: RegExp) => {
      await page.waitForURL(path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
    await page.goto('/sessions')
    await page.getByText('topic').click()
    await at(/\/live\/ses_/)
    await page.getByRole('link', { name: 'Earlier' }).click()
    await at(/\?from=/)
    await page.getByText('Step 39.').waitFor()
    await page.getByRole('link', { name: 'Latest' }).click()
    await at(/\/live\/ses_\w+#happened$/)
    await page.getByRole('link', { name: 'Done?' }).click()
    await at(/\/d\/q_/)
    await page.goBack()
    await page.getByRole('link', { name: 'Step 3.' }).click()
    await at(/\/n\/n_/)
    await page.goBack()
    await page.getByRole('link', { name: repoKey }).click()
    await at(/\/repositories\?repoKey=/)
    await page.getByRole('heading', { name: repoKey }).waitFor()
    await page.getByText('The numbers, day by day').click()
    await page.getByText('8 questions: 4 answered by people').first().waitFor()
    await page.locator('#questions-asked').getByRole('link').first().click()
    await at(/\/d\/q_/)
    await page.goBack()
    await page.getByRole('link', { name: 'All rules' }).click()
    await at(/\/settings\/rules/)
    await page.goBack()
    await page.locator('#sessions').getByRole('link').first().click()
    await at(/\/live\/ses_/)
    await page.goBack()
    await page.getByRole('link', { name: 'Back to the repositories' }).click()
    await at(/\/repositories$/)
    await page.getByText(repoKey).click()
    await at(/\/repositories\?repoKey=/)
    expect(tab.complaints).toEqual([])
  },
)

test('the timeline follows what happens, and nothing under the finger moves', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto(`/live/${live}`)
  await page.getByText('Live', { exact: true }).waitFor()
  const held = page.getByRole('link', { name: 'Step 20.' })
  await held.scrollIntoViewIfNeeded()
  await held.focus()
  const before = await held.boundingBox()
  const id = await world.ask({ ...S1, question: 'Fresh?' })
  const event = page.locator(`#event-${id}`)
  await event.getByText('Waiting for an answer').waitFor()
  await sentTo(id)
  await event.getByText('Sent to 1 of 1 device').waitFor()
  // Chromium scrolls by whole pixels: once for what is new, once for what became of it.
  const moved = ((await held.boundingBox())?.y ?? Number.NaN) - (before?.y ?? 0)
  expect(Math.abs(moved)).toBeLessThan(2)
  await world.post(`/d/${id}/answer`, { value: 'yes' })
  await event.getByText('Returned to the agent').waitFor()
  expect(await held.evaluate((link) => document.activeElement === link)).toBe(true)
  expect(tab.complaints).toEqual([])
})

test('a paused session says so as its state, and is resumed where it is seen', async () => {
  const key = { machineId: 'm1', sessionId: 'paused' }
  const id = await world.work({ ...key, repoKey })
  const pause = () => db.write((tx) => countUnanswered(tx, { workspaceId, ...key }, 'unanswered'))
  const places = ['/sessions', `/live/${id}`, `/repositories?${new URLSearchParams({ repoKey })}`]
  await using tab = await openTab(browser, world, { ...PHONE, javaScriptEnabled: false })
  for (const path of places) {
    for (let i = 0; i < 3; i++) await pause()
    await tab.page.goto(path)
    await tab.page.getByText('Paused', { exact: true }).first().waitFor()
    await tab.page.getByRole('button', { name: 'Resume' }).click()
    await tab.page.waitForURL((url) => url.pathname + url.search === path)
    expect([path, await tab.page.getByText('Paused', { exact: true }).count()]).toEqual([path, 0])
  }
})

test('the counts of activity wait behind their sentence on a phone, and stand open on a desktop', async () => {
  await using phone = await openTab(browser, world, PHONE)
  await phone.page.goto('/activity')
  const chart = phone.page.getByRole('img', { name: /^Questions a day/ })
  expect(await chart.isVisible()).toBe(false)
  await phone.page.getByText(/The last 30 days\. \d+ questions: \d answered by people/).click()
  await chart.waitFor()
  await phone.page.getByText('The numbers, day by day').click()
  await phone.page.getByText('Days in the time zone').waitFor()
  await using desk = await openTab(browser, world, DESK)
  await desk.page.goto('/activity')
  await desk.page.getByRole('img', { name: /^Questions a day/ }).waitFor()
})
