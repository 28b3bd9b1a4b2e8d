import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { inOneWay, PLACES } from './answer-places.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'
import { preventUpdates } from './no-updates.ts'
import { unfold } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

const notice = (page: Page) => page.locator('#unsent')

async function typeAnswer(page: Page, text: string) {
  const id = await world.ask({ type: 'input', question: 'What is it called?' })
  await page.goto(`/d/${id}`)
  await page.getByText('Live', { exact: true }).waitFor()
  const field = page.locator(`#typed-${id}`)
  await field.fill(text)
  const send = () => page.getByRole('button', { name: 'Send answer' }).click()
  const stored = () =>
    readQuestion({ db: world.db, clock: systemClock }, { workspaceId: world.workspaceId }, id)
  return { id, field, send, stored }
}

/** What another tab of the same browser does when somebody signs out, or in again, there. */
async function signOutElsewhere(page: Page) {
  const cookies = await page.context().cookies()
  await page.context().clearCookies()
  return () => page.context().addCookies(cookies)
}

test('an answer sent after the sign-in has ended is kept, says so, and can be sent again', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const { field, send, stored } = await typeAnswer(page, 'Kestrel')
  const signInAgain = await signOutElsewhere(page)
  const button = page.getByRole('button', { name: 'Send answer' })
  const place = await button.boundingBox()
  await send()
  await notice(page).getByText('Not sent: you are signed out.').waitFor()
  expect(await notice(page).getByRole('link').getAttribute('href')).toStartWith('/sign-in?next=')
  expect(await field.inputValue()).toBe('Kestrel')
  // The button stays under the thumb.
  expect(await button.boundingBox()).toEqual(place)
  expect((await stored())?.status).toBe('pending')
  await signInAgain()
  await send()
  await page.locator('.outcome, .just').waitFor()
  expect(await notice(page).count()).toBe(0)
  expect((await stored())?.value).toBe('Kestrel')
  expect(tab.complaints).toEqual([])
})

test('an answer that the server refuses stays on the page, with the reason', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const { field, send } = await typeAnswer(page, '')
  await field.evaluate((it) => {
    if ('value' in it) it.value = 'x'.repeat(100_000)
  })
  await send()
  await notice(page).getByText('Not sent: ').waitFor()
  expect(await notice(page).textContent()).toContain('The form is too large.')
  expect((await field.inputValue()).length).toBe(100_000)
  expect(tab.complaints).toEqual([])
})

test('an answer that finds no server says so where it can be seen', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const { field, send } = await typeAnswer(page, 'Kestrel')
  await page.context().setOffline(true)
  await send()
  await notice(page).getByText('Not sent: the server cannot be reached.').waitFor()
  expect(await notice(page).isVisible()).toBe(true)
  expect(await field.inputValue()).toBe('Kestrel')
})

test('a page whose sign-in has ended keeps what is typed in it, and leaves when nothing is', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const { field } = await typeAnswer(page, 'half a sent')
  const look = () => page.evaluate(() => dispatchEvent(new Event('online')))
  await signOutElsewhere(page)
  await look()
  await notice(page).getByText('You are signed out.').waitFor()
  expect(await field.inputValue()).toBe('half a sent')
  await field.fill('')
  await look()
  await page.waitForURL((url) => url.pathname === '/sign-in')
})

test.each(
  [true, false].flatMap((scripts, way) =>
    inOneWay(PLACES, way).map((place) => ({ ...place, scripts })),
  ),
)('words that came too late are shown to copy on $name, scripts: $scripts', async (place) => {
  const { scripts } = place
  await using tab = await openTab(browser, world, { ...PHONE, javaScriptEnabled: scripts })
  const { page } = tab
  await preventUpdates(page)
  const { id, path } = await place.open(world, { type: 'input', question: 'What is it called?' })
  await page.goto(path)
  const part = page.locator(place.card ? `#card-${id}` : '#decision')
  if (place.card) await unfold(part)
  await part.getByRole('textbox').first().fill('Kestrel,\nor Kite')
  await world.post(`/d/${id}/stop`, { from: 'decide_page' })
  await part.getByRole('button', { name: 'Send answer' }).click()
  const late = place.source === 'answer_link' ? 'no longer works' : 'Too late'
  const root = scripts ? part : page
  await root.getByText(late).waitFor()
  expect(await root.getByLabel('You had typed').inputValue()).toBe('Kestrel,\nor Kite')
})

test('words that were typed when the question ended are still there to copy', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const end = (id: QuestionId) => world.post(`/d/${id}/stop`, { from: 'decide_page' })
  const { id } = await typeAnswer(page, 'half\nan answer')
  await end(id)
  await page.locator('#decision .verdict').getByText('Stopped').waitFor()
  expect(await page.getByLabel('You had typed').inputValue()).toBe('half\nan answer')
  const other = await world.ask({ question: 'Shall I?' })
  await page.goto('/inbox')
  const card = page.locator(`#card-${other}`)
  await unfold(card)
  await card.getByText('Add a note').click()
  await page.locator(`#note-${other}`).fill('not before noon')
  await end(other)
  await card.getByText('Stopped').waitFor()
  expect(await card.getByLabel('You had typed').inputValue()).toBe('not before noon')
  expect(tab.complaints).toEqual([])
})
