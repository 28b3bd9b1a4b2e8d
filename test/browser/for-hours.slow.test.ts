import { expect, setDefaultTimeout, test } from 'bun:test'
import { followQuestion } from '../../src/ask/questions/model/store.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()
const HOUR = 3_600_000

test('what can wait for hours is apart, and moves there with what is being typed', async () => {
  const of = { type: 'input', agentName: 'Codex - shop' } as const
  const ids = [
    await world.ask({ ...of, question: 'Now?', machineId: 'm1', sessionId: 's1' }),
    await world.ask({ ...of, question: 'Which branch?', machineId: 'm1', sessionId: 's1' }),
    await world.ask({ ...of, question: 'Alone?', machineId: 'm2', sessionId: 's2' }),
  ] as const
  const follow = (id: (typeof ids)[number]) =>
    world.db.write(async (tx) => {
      const { workspaceId } = world
      await followQuestion(tx, { workspaceId, id }, Date.now(), Date.now() + 6 * HOUR)
      tx.emit('question', id)
    })
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/inbox')
  await page.getByText('Live', { exact: true }).waitFor()
  for (const id of ids.slice(1)) {
    await page.locator(`#card-${id} > .fold > summary`).click()
    const field = page.locator(`#typed-${id}`)
    await field.fill('mai')
    await follow(id)
    await page.locator(`#card-${id} .row-head`).getByText('open until').waitFor()
    const heading = page.getByRole('heading', { name: 'Waiting for hours' })
    expect(await heading.count()).toBe(1)
    await page.keyboard.type('n')
    expect(await field.inputValue()).toBe('main')
    expect(await page.locator(`#card-${id} > .fold`).getAttribute('open')).not.toBeNull()
    expect(await page.locator(`.hours-head ~ .group #card-${id}`).count()).toBe(1)
  }
  expect(await page.locator(`.hours-head ~ .group #card-${ids[0]}`).count()).toBe(0)
  expect(await page.locator(`#card-${ids[0]} .row-head`).textContent()).not.toContain('open until')
  await page.goto(`/d/${ids[1]}`)
  await page.locator('.ask-head').getByText('open until').waitFor()
  expect(tab.complaints).toEqual([])
})
