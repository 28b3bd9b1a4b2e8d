import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Response } from 'playwright-core'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { noSender } from '../support/no-sender.ts'
import { onEnded } from '../support/on-ended.ts'
import { pageWorld } from '../support/page-world.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'
import { openRow } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

function answerElsewhere(questionId: QuestionId) {
  const deps = { db: world.db, clock: systemClock, onEnded: onEnded(noSender) }
  const { workspaceId } = world
  return answerQuestion(deps, { workspaceId, questionId, value: 'yes', source: 'slack' })
}

test('the decide page turns into the outcome when somebody else answers', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const id = await world.ask()
  await tab.page.goto(`/d/${id}`)
  await tab.page.getByText('Live', { exact: true }).waitFor()
  await answerElsewhere(id)
  await tab.page.getByText('from Slack').waitFor()
  expect(await tab.page.getByRole('button', { name: 'Yes' }).count()).toBe(0)
  expect(tab.complaints).toEqual([])
})

test('a question that arrives before the page listens is shown once it does', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const network = Promise.withResolvers<void>()
  await page.route('**/api/v1/events*', async (route) => {
    await network.promise
    await route.continue()
  })
  await page.goto('/inbox')
  const id = await world.ask({ question: 'Between the two?' })
  network.resolve()
  await page.locator(`#card-${id}`).waitFor()
  expect(tab.complaints).toEqual([])
})

test('the inbox adds a new question, keeps what is typed, and counts in the title', async () => {
  await using tab = await openTab(browser, world)
  const first = await world.ask({ type: 'input', question: 'First?' })
  await tab.page.goto('/inbox')
  await tab.page.getByText('Live', { exact: true }).waitFor()
  await openRow(tab.page, first)
  const field = tab.page.locator(`#typed-${first}`)
  await field.fill('half a sent')
  await field.focus()
  const top = (await field.boundingBox())?.y
  const second = await world.ask({ question: 'Second?' })
  await tab.page.locator('.row-question').getByText('Second?').waitFor()
  expect(await field.inputValue()).toBe('half a sent')
  expect(await field.evaluate((it) => it === document.activeElement)).toBe(true)
  expect((await field.boundingBox())?.y).toBe(top as number)
  expect(await tab.page.title()).toMatch(/^\(\d+\) Inbox · beckon$/)

  await answerElsewhere(second)
  await tab.page.locator(`#card-${second}`).getByText('Answered').waitFor()
  expect(await field.inputValue()).toBe('half a sent')
  expect(tab.complaints).toEqual([])
})

test('nothing moves while a finger is down, and what changed takes no tap at first', async () => {
  await using tab = await openTab(browser, world)
  const id = await world.ask()
  await tab.page.goto(`/d/${id}`)
  await tab.page.getByText('Live', { exact: true }).waitFor()
  await tab.page.mouse.move(600, 300)
  await tab.page.mouse.down()
  // The page also reports that it can be seen, which takes a while on a busy machine.
  const isLookup = (response: Response) => response.url().includes(id)
  const seen = tab.page.waitForResponse(isLookup, { timeout: 600 }).catch(() => 'none')
  await answerElsewhere(id)
  expect(await seen).toBe('none')
  expect(await tab.page.getByRole('button', { name: 'Yes' }).count()).toBe(1)
  // It takes no tap for a moment that a busy machine may not look at.
  await tab.page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('#decision[inert] .outcome')) document.body.id = 'took-no-tap'
    }).observe(document.body, { subtree: true, attributeFilter: ['inert'] })
  })
  await tab.page.mouse.up()
  await tab.page.locator('#took-no-tap').waitFor()
  await tab.page.locator('#decision:not([inert]) .outcome').waitFor()
})

test('y marks, Enter sends', async () => {
  await using tab = await openTab(browser, world)
  const id = await world.ask()
  await tab.page.goto(`/d/${id}`)
  await tab.page.keyboard.press('y')
  expect(await tab.page.evaluate(() => (document.activeElement as HTMLButtonElement).value)).toBe(
    'yes',
  )
  expect(await tab.page.locator('#say').textContent()).toContain('Enter sends it')
  await tab.page.keyboard.press('Escape')
  expect(await tab.page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await tab.page.keyboard.press('n')
  await tab.page.keyboard.press('Enter')
  await tab.page.locator('.outcome, .just').getByText('No').waitFor()
})

test('j and k walk the inbox, a number marks a choice, Enter sends it', async () => {
  await using fresh = await pageWorld()
  await using tab = await openTab(browser, fresh)
  await fresh.ask({ question: 'One?' }, 5_000)
  await fresh.ask({ question: 'Two?', type: 'select', choices: [{ label: 'A' }, { label: 'B' }] })
  await tab.page.goto('/inbox')
  await tab.page.keyboard.press('j')
  await tab.page.keyboard.press('j')
  await tab.page.keyboard.press('2')
  await tab.page.keyboard.press('Enter')
  await tab.page.locator('.card.ended').getByText('B', { exact: true }).waitFor()
  expect(await tab.page.locator('.card:not(.ended)').count()).toBe(1)
})

test('after an answer by keyboard the focus is in the next question, and the outcome is announced', async () => {
  await using fresh = await pageWorld()
  await using tab = await openTab(browser, fresh)
  await fresh.ask({ question: 'One?' }, 5_000)
  await fresh.ask({ question: 'Two?' })
  await tab.page.goto('/inbox')
  for (const key of ['j', 'y', 'Enter']) await tab.page.keyboard.press(key)
  await tab.page.locator('.card.ended').waitFor()
  const held = await tab.page.evaluate(() => document.activeElement?.closest('.card')?.className)
  expect(held).toBe('card here')
  expect(await tab.page.locator('#say').textContent()).toStartWith('Answered: ')
  await tab.page.keyboard.press('k')
  // The row has the only ring, away from its words.
  const card = tab.page.locator('.card.ended')
  const link = card.locator('.row-question a')
  expect(await link.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('none')
  expect(await card.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid')
  const [around, words] = await Promise.all([card.boundingBox(), link.boundingBox()])
  expect((words?.x ?? 0) - (around?.x ?? 0)).toBeGreaterThanOrEqual(8)
  const session = await tab.context.newCDPSession(tab.page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  const live = nodes.filter(({ role }) => role?.value === 'status')
  expect(live.length).toBeGreaterThan(0)
})

test('after an answer by keyboard one press of j leads to the next question', async () => {
  await using fresh = await pageWorld()
  await using tab = await openTab(browser, fresh)
  await fresh.ask({ question: 'One?' }, 5_000)
  const next = await fresh.ask({ question: 'Two?' })
  await tab.page.goto('/inbox')
  await tab.page.evaluate(() => {
    document.addEventListener('htmx:afterSettle', () => {
      setTimeout(() => document.body.classList.add('settled'))
    })
  })
  for (const key of ['j', 'y', 'Enter']) await tab.page.keyboard.press(key)
  await tab.page.locator('body.settled').waitFor()
  await tab.page.keyboard.press('j')
  const held = await tab.page.evaluate(() => document.activeElement?.closest('.card')?.id)
  expect(held).toBe(`card-${next}`)
})

test('hundreds of open questions fit beside the word of the inbox', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const ids: QuestionId[] = []
  for (let i = 0; i < 100; i++) ids.push(await world.ask())
  await tab.page.goto('/inbox')
  const badge = tab.page.locator('#badge')
  expect(await badge.textContent()).toStartWith('99+')
  await answerElsewhere(ids.pop() as QuestionId)
  await world.ask()
  await tab.page.getByText('Live', { exact: true }).waitFor()
  await tab.page.evaluate(() => dispatchEvent(new Event('online')))
  expect(await badge.textContent()).toStartWith('99+')
  expect((await badge.boundingBox())?.height).toBeLessThan(30)
  for (const id of ids) await answerElsewhere(id)
})

test('? opens the help, Escape closes it, / goes to the search', async () => {
  await using tab = await openTab(browser, world)
  await tab.page.goto('/')
  await tab.page.keyboard.press('?')
  await tab.page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await tab.page.keyboard.press('Escape')
  await tab.page.keyboard.press('/')
  await tab.page.waitForURL('**/activity#search')
  await tab.page.waitForFunction(() => document.activeElement?.matches('[data-search]'))
})

test('Tab reaches every control, the skip link first', async () => {
  await using tab = await openTab(browser, world)
  const id = await world.ask()
  await tab.page.goto(`/d/${id}`)
  const names: string[] = []
  for (let i = 0; i < 16; i++) {
    await tab.page.keyboard.press('Tab')
    names.push(await tab.page.evaluate(() => document.activeElement?.textContent?.trim() ?? ''))
  }
  expect(names[0]).toBe('Skip to the content')
  for (const name of ['Add a note', 'Stop the agent']) expect(names).toContain(name)
  expect(names.some((name) => name.startsWith('Yes'))).toBe(true)
})
