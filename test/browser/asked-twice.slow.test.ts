import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { noSender } from '../support/no-sender.ts'
import { onEnded } from '../support/on-ended.ts'
import { isLong, isWide } from '../support/share.ts'
import { PLACES, type Place } from './answer-places.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'
import { preventUpdates } from './no-updates.ts'
import { unfold } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

// On a desk the same cards and pages are wider.
const ON_A_DESK = isWide ? ([['with scripts, on a desk', DESK]] as const) : []

const WAYS = [
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ...ON_A_DESK,
] as const

const LISTS = PLACES.filter(({ card }) => card)
// An answer link has no scripts at all.
const SCRIPTED = PLACES.filter(({ source }) => source !== 'answer_link')

const HARD_TO_UNDO = { detail: { action: 'rm -rf build' } }

const stored = async (id: QuestionId) => {
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  return [question?.status, question?.value, question?.answerSource]
}

/** Where the question stands on the page. */
const partOf = (page: Page, { card }: Place, id: QuestionId) =>
  page.locator(card ? `#card-${id}` : '#decision')

/**
 * Every place in every way in the long run. CI takes every other place for a test, beginning with
 * the first or the second, and each of them in one way; the quick run the last of those.
 */
function inTurn(places: readonly Place[], way: number, ways: number, first: 0 | 1) {
  if (isLong) return places
  const some = places.filter((_, i) => i % 2 === first).filter((_, i) => i % ways === way)
  return isWide ? some : some.slice(-1)
}

/** The second question; without scripts it has a page of its own. */
const secondOf = (page: Page) => page.locator('.twice')

/** How the question ended, as its card says it or, without scripts, the page of the question. */
async function endOf(page: Page, id: QuestionId, words: string) {
  const end = page.locator(`#card-${id} .card-end, #decision .verdict, .just b`)
  await end.getByText(words, { exact: true }).waitFor()
  await secondOf(page).waitFor({ state: 'detached' })
  expect(await page.locator('#unsent').count()).toBe(0)
  return stored(id)
}

async function approveOnce(page: Page, place: Place, id: QuestionId) {
  if (place.card) await unfold(partOf(page, place, id))
  await partOf(page, place, id).getByRole('button', { name: 'Approve…' }).click()
  await secondOf(page).getByRole('heading', { name: 'Are you sure?' }).waitFor()
  expect(await secondOf(page).textContent()).toContain('rm -rf build')
  expect(await page.locator('#unsent').count()).toBe(0)
  expect((await stored(id))[0]).toBe('pending')
}

const approveAnyway = (page: Page) =>
  secondOf(page).getByRole('button', { name: 'Approve anyway' }).click()

/** Asks anew and opens the page that shows it. */
async function openPage(page: Page, place: Place, changes: Partial<Question> = HARD_TO_UNDO) {
  const { id, path } = await place.open(world, changes)
  await page.goto(path)
  const part = partOf(page, place, id)
  if (place.card) await unfold(part)
  return { id, path, part }
}

function answerElsewhere(questionId: QuestionId, value = 'no') {
  const deps = { db: world.db, clock: systemClock, onEnded: onEnded(noSender) }
  const { workspaceId } = world
  return answerQuestion(deps, { workspaceId, questionId, value, source: 'slack' })
}

describe.each(WAYS.map((way, at) => [...way, at] as const))('%s', (_, options, at) => {
  const scripts = !('javaScriptEnabled' in options)

  test.each(inTurn(PLACES, at, WAYS.length, 0))(
    'what is hard to undo is asked for twice on $name',
    async (place) => {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      const yes = await openPage(page, place)
      await approveOnce(page, place, yes.id)
      await approveAnyway(page)
      expect(await endOf(page, yes.id, 'Approved')).toEqual(['answered', 'yes', place.source])
      if (scripts) expect(new URL(page.url()).pathname).toBe(yes.path)

      const no = await openPage(page, place)
      await approveOnce(page, place, no.id)
      await secondOf(page).getByRole('link', { name: 'Back to the question' }).click()
      await page.getByRole('button', { name: 'Approve…' }).first().waitFor()
      await page.goto(no.path)
      await approveOnce(page, place, no.id)
      await page.goBack()
      expect((await stored(no.id))[0]).toBe('pending')
      await page.goto(no.path)
      await approveOnce(page, place, no.id)
      await secondOf(page).getByRole('button', { name: 'Decline' }).click()
      expect(await endOf(page, no.id, 'Declined')).toEqual(['answered', 'no', place.source])
      expect(tab.complaints).toEqual([])
    },
  )

  test.each(inTurn(PLACES, at, WAYS.length, 1))(
    'an answer given elsewhere meanwhile wins on $name',
    async (place) => {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      await preventUpdates(page)
      const { id, part } = await openPage(page, place)
      await approveOnce(page, place, id)
      await answerElsewhere(id)
      await approveAnyway(page)
      const late = place.source === 'answer_link' ? 'no longer works' : 'Too late'
      const root = scripts ? part : page
      await root.getByText(late).waitFor()
      expect(await endOf(page, id, 'Declined')).toEqual(['answered', 'no', 'slack'])
    },
  )

  test.each(inTurn(PLACES, at, WAYS.length, 1))(
    'everything else that can be said is said on $name',
    async (place) => {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      const no = await openPage(page, place)
      await no.part.getByRole('button', { name: 'Decline' }).click()
      expect(await endOf(page, no.id, 'Declined')).toEqual(['answered', 'no', place.source])

      const choices = [{ label: 'SQLite' }, { label: 'PostgreSQL' }]
      const select = await openPage(page, place, { type: 'select', choices })
      await select.part.getByLabel('PostgreSQL').check()
      await select.part.getByRole('button', { name: 'Send answer' }).click()
      const chosen = ['answered', 'PostgreSQL', place.source]
      expect(await endOf(page, select.id, 'PostgreSQL')).toEqual(chosen)

      const input = await openPage(page, place, { type: 'input' })
      await input.part.getByLabel('Your answer').fill('Kestrel')
      await input.part.getByRole('button', { name: 'Send answer' }).click()
      expect(await endOf(page, input.id, 'Kestrel')).toEqual(['answered', 'Kestrel', place.source])

      const stop = await openPage(page, place)
      await stop.part.getByText('Stop the agent').click()
      await stop.part.getByRole('button', { name: 'Stop it now' }).click()
      expect((await endOf(page, stop.id, 'Stopped'))[0]).toBe('stopped')
      expect(tab.complaints).toEqual([])
    },
  )
})

describe.each(
  [['with scripts, on a phone', PHONE] as const, ...ON_A_DESK].map(
    (way, at) => [...way, at] as const,
  ),
)('%s', (_, options, at) => {
  test.each(inTurn(SCRIPTED, at, 2, 0))(
    'a finger that taps again on $name says no second yes',
    async (place) => {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      const { id, part } = await openPage(page, place)
      // What a finger would hit at the very moment the second question appears.
      await page.evaluate(() => {
        document.addEventListener('htmx:afterSwap', () => {
          const button = document.querySelector('.sure [value="yes"]')
          button?.scrollIntoView()
          const { left, top, width, height } = button?.getBoundingClientRect() ?? new DOMRect()
          const hit = document.elementFromPoint(left + width / 2, top + height / 2)
          document.body.dataset.hit = button && !hit?.closest('button') ? 'nothing' : 'a button'
        })
      })
      await part.getByRole('button', { name: 'Approve…' }).dblclick()
      await secondOf(page).waitFor()
      expect(await page.evaluate(() => document.body.dataset.hit)).toBe('nothing')
      // Nor does the keyboard stand on a button: Enter, held down, sends nothing.
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Are you sure?')
      await page.keyboard.press('Enter')
      expect((await stored(id))[0]).toBe('pending')
      await secondOf(page).getByRole('button', { name: 'Approve anyway' }).dblclick()
      expect(await endOf(page, id, 'Approved')).toEqual(['answered', 'yes', place.source])
      expect(await page.getByText('Too late').count()).toBe(0)
    },
  )

  test.each(inTurn(SCRIPTED, at, 2, 1))(
    'the second question on $name ends with what another tab decides',
    async (place) => {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      const { id } = await openPage(page, place)
      await page.getByText('Live', { exact: true }).waitFor()
      await approveOnce(page, place, id)
      const other = await tab.context.newPage()
      await other.goto(`/d/${id}`)
      await other.getByRole('button', { name: 'Decline' }).click()
      expect(await endOf(other, id, 'Declined')).toEqual(['answered', 'no', 'decide_page'])
      await endOf(page, id, 'Declined')
      expect(tab.complaints).toEqual([])
    },
  )

  test.each(inTurn(SCRIPTED, at, 2, 0))(
    'a server that is away meanwhile is said on $name; the yes is sent again',
    async (place) => {
      await using tab = await openTab(browser, world, options)
      const { page } = tab
      const { id } = await openPage(page, place)
      await approveOnce(page, place, id)
      await page.context().setOffline(true)
      await approveAnyway(page)
      await page.locator('#unsent').getByText('the server cannot be reached').waitFor()
      expect((await stored(id))[0]).toBe('pending')
      await page.context().setOffline(false)
      await approveAnyway(page)
      expect(await endOf(page, id, 'Approved')).toEqual(['answered', 'yes', place.source])
    },
  )
})

test.each(inTurn(LISTS, 0, 1, 1))(
  'a choice that is missing on $name is said beside the question',
  async (place) => {
    await using tab = await openTab(browser, world, PHONE)
    const { page } = tab
    const choices = [{ label: 'Types' }, { label: 'Lint' }]
    const detail = { multiSelect: true }
    const { id, part } = await openPage(page, place, { type: 'select', choices, detail })
    const title = await page.title()
    await part.getByText('Add a note').click()
    await part.getByLabel('A note that goes').fill('Both later')
    await part.getByRole('button', { name: 'Send answer' }).click()
    await part.getByRole('alert').waitFor()
    expect(await part.getByRole('alert').textContent()).not.toContain('Not sent')
    expect(await part.getByLabel('A note that goes').inputValue()).toBe('Both later')
    expect(await page.title()).toBe(title)
    await part.getByLabel('Lint').check()
    await part.getByRole('button', { name: 'Send answer' }).click()
    expect(await endOf(page, id, 'Lint')).toEqual(['answered', 'Lint', place.source])
    expect(tab.complaints).toEqual([])
  },
)

test('an answer of the installed app is one of the app, also after the second question', async () => {
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.addInitScript(() => {
    const real = matchMedia.bind(window)
    const standalone = '(display-mode: standalone)'
    window.matchMedia = (query) => real(query === standalone ? 'all' : query)
    Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (Linux; Android 14)' })
  })
  for (const place of isWide ? SCRIPTED : SCRIPTED.slice(-2)) {
    const { id } = await openPage(page, place)
    await approveOnce(page, place, id)
    await approveAnyway(page)
    expect(await endOf(page, id, 'Approved')).toEqual(['answered', 'yes', 'mobile_app'])
  }
})
