import { expect, setDefaultTimeout, test } from 'bun:test'
import { readInboxPage } from '../../src/ask/inbox/read-questions.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(240_000)

const { world, browser } = await openWorld()

const QUESTIONS = 31
const AGENTS = 6
const TAPS_MAX = 36

/** Mostly commands; two choices, one dangerous command and one long script. */
async function askAll() {
  const actionBody = Array.from({ length: 60 }, (_, i) => `step ${i}`).join('\n')
  const choices = [{ label: 'SQLite' }, { label: 'PostgreSQL' }]
  for (let i = 0; i < QUESTIONS; i++) {
    const expiresAt = Date.now() + 400_000 + i * 1_000
    const about = { agentName: `Agent ${i % AGENTS}`, sessionId: `s${i % AGENTS}`, expiresAt }
    if (i % 13 === 5) await world.ask({ ...about, type: 'select', choices })
    else if (i === 10) await world.ask({ ...about, detail: { action: 'rm -rf build' } })
    else if (i === 20) await world.ask({ ...about, detail: { action: 'deploy', actionBody } })
    else await world.ask({ ...about, detail: { action: `npm run step-${i}` } })
  }
}

/** The page has looked itself up since the last answer: before that it may replace what is tapped. */
function showsLeft(count: number): boolean {
  const badge = document.getElementById('badge')
  return badge?.hidden ? count === 0 : badge?.firstChild?.textContent === String(count)
}

test(`${QUESTIONS} questions of ${AGENTS} agents are answered on a phone with few taps`, async () => {
  await askAll()
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/inbox')
  await page.locator('.card .row-head').first().tap()
  let taps = 1
  const left = async () =>
    (await readInboxPage({ db: world.db, clock }, { workspaceId: world.workspaceId })).total
  const place = page.locator('.fold[open], #decision')
  const ready = place.locator('[data-answers]:not([inert]), .closer a')
  while ((await left()) > 0 && taps < 2 * QUESTIONS) {
    await ready.first().waitFor()
    const part = place.first()
    const before = await page.evaluate(() => document.querySelector('main')?.textContent)
    const choice = part.locator('.choice')
    const isChosen = (await part.locator('.choice input:checked').count()) > 0
    if ((await choice.count()) > 0 && !isChosen) await choice.first().tap()
    else await part.locator('button[data-key="y"], button[data-key="s"], .closer a').first().tap()
    taps += 1
    if ((await choice.count()) > 0 && !isChosen) continue
    await page.waitForFunction((was) => document.querySelector('main')?.textContent !== was, before)
    await page.waitForFunction(showsLeft, await left())
  }
  expect(await left()).toBe(0)
  expect(taps).toBeLessThanOrEqual(TAPS_MAX)
})
