import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { PASSWORD } from '../support/auth-server.ts'
import { noFirefox, openFirefox } from '../support/firefox.ts'
import { howOften } from '../support/share.ts'
import { addPersonWithPassword, signInAs } from '../support/sign-in.ts'
import { DESK, openTab, openWorld, PHONE, startChromium, type Tab } from './chromium.ts'

// Two browsers on a busy machine.
setDefaultTimeout(120_000)

const ROUNDS = howOften(4, 12)
const FIREFOX_ROUNDS = howOften(2, 4)
// By then one of two taps has come late on any machine.
const ROUNDS_MAX = 60

const BEN = 'ben@example.org'

const { world, browser } = await openWorld()
const browsers = [browser, await startChromium()]
afterAll(() => browsers[1]?.close())
const { id } = await addPersonWithPassword(
  { db: world.db, clock },
  { email: BEN, name: 'Ben Okafor' },
)
const ben = await signInAs(world.app, id)

/** What a page says of the end of its question. */
type PageState = { verdict: string; by: string; told: string; buttons: number; lateSeen: boolean }

/** Somebody before a page; of Playwright or of Puppeteer. */
type Hand = {
  name: string
  page: {
    goto(url: string): Promise<unknown>
    evaluate<T>(work: () => T): Promise<T>
    waitForFunction(work: () => boolean): Promise<unknown>
    mouse: { click(x: number, y: number): Promise<void> }
  }
}

const readState = ({ page }: Hand): Promise<PageState> =>
  page.evaluate(() => {
    const text = (of: string) => document.querySelector(of)?.textContent?.trim() ?? ''
    return {
      ...{ verdict: text('.verdict'), by: text('.outcome .by'), told: text('.told') },
      buttons: document.querySelectorAll('[data-answers] button').length,
      lateSeen: document.documentElement.dataset.lateSeen === 'yes',
    }
  })

/** Opens the question, and finds where to tap for `value`. */
async function ready({ page }: Hand, id: QuestionId, value: 'yes' | 'no') {
  await page.goto(`${world.url}/d/${id}`)
  await page.waitForFunction(() => document.getElementById('live-word')?.textContent === 'Live')
  await page.evaluate(() => {
    const root = document.documentElement
    new MutationObserver(() => {
      if (document.querySelector('.too-late')) root.dataset.lateSeen = 'yes'
    }).observe(root, { childList: true, subtree: true })
  })
  const places = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('[data-answers] button.big')].map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return { value: button.value, x: x + width / 2, y: y + height / 2 }
    }),
  )
  const place = places.find((one) => one.value === value)
  if (!place) throw new Error(`no button ${value}: ${JSON.stringify(places)}`)
  return place
}

async function ended({ page }: Hand) {
  await page.waitForFunction(() => document.querySelector('.outcome .verdict') !== null)
}

/** Both tap at the same moment, the one yes and the other no; returns who won. */
async function race(hands: readonly [Hand, Hand], round: number): Promise<string> {
  const id = await world.ask({ question: `Round ${round}?` })
  const values = round % 2 ? (['yes', 'no'] as const) : (['no', 'yes'] as const)
  const places = [await ready(hands[0], id, values[0]), await ready(hands[1], id, values[1])]
  // Who is asked first by this process should not always be the first.
  const order = round % 4 < 2 ? [0, 1] : [1, 0]
  await Promise.all(
    order.map((n) => hands[n]?.page.mouse.click(places[n]?.x ?? 0, places[n]?.y ?? 0)),
  )
  await Promise.all(hands.map(ended))
  const stored = await readQuestion({ db: world.db, clock }, { workspaceId: world.workspaceId }, id)
  expect(stored?.status).toBe('answered')
  const won = values.indexOf(stored?.value as 'yes')
  const states = await Promise.all(hands.map(readState))
  for (const [n, one] of states.entries()) {
    expect(one).toMatchObject({ verdict: stored?.value === 'yes' ? 'Yes' : 'No', buttons: 0 })
    expect(one.told).toContain(`The agent was told “${stored?.value}”`)
    expect(one.by).toStartWith(n === won ? 'by you' : `by ${hands[won]?.name}`)
  }
  expect(states[won]?.lateSeen).toBe(false)
  return states[1 - won]?.lateSeen ? `${hands[won]?.name}, late` : `${hands[won]?.name}, alone`
}

const handOf = (name: string, { page }: Tab): Hand => ({ name, page: page as never })

test('two people tap at once: one of them wins, and both pages say who and what', async () => {
  const [one, two] = browsers as [Browser, Browser]
  await using desk = await openTab(one, world, DESK)
  await using phone = await openTab(two, { url: world.url, cookie: ben }, PHONE)
  const hands = [handOf('Mara Lindqvist', desk), handOf('Ben Okafor', phone)] as const
  const ends = new Set<string>()
  // Until both sent their answer at least once, and the later one was told.
  const sawLate = () => [...ends].some((end) => end.endsWith(', late'))
  for (let round = 0; round < ROUNDS || (round < ROUNDS_MAX && !sawLate()); round++) {
    ends.add(await race(hands, round))
  }
  expect(sawLate()).toBe(true)
  expect([...desk.complaints, ...phone.complaints]).toEqual([])
})

test.skipIf(noFirefox !== undefined)(
  'Chromium and Firefox at once: one of them wins, and both say so',
  async () => {
    const [chromium] = browsers as [Browser]
    await using tab = await openTab(chromium, world, DESK)
    const firefox = await openFirefox('ws://127.0.0.1:1')
    try {
      const page = await firefox.newPage()
      await page.goto(`${world.url}/sign-in?next=/inbox`)
      await page.type('input[name=email]', BEN)
      await page.type('input[name=password]', PASSWORD)
      await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
      const hands = [
        handOf('Mara Lindqvist', tab),
        { name: 'Ben Okafor', page: page as never },
      ] as const
      for (let round = 0; round < FIREFOX_ROUNDS; round++) await race(hands, round)
      expect(tab.complaints).toEqual([])
    } finally {
      await firefox.close()
    }
  },
)

test('who answers without a connection is told that nothing was sent, and later what won', async () => {
  const [one, two] = browsers as [Browser, Browser]
  await using desk = await openTab(one, world, DESK)
  await using phone = await openTab(two, { url: world.url, cookie: ben }, PHONE)
  const [mara, away] = [handOf('Mara Lindqvist', desk), handOf('Ben Okafor', phone)]
  const id = await world.ask({ question: 'While away?' })
  const [no, yes] = [await ready(mara, id, 'no'), await ready(away, id, 'yes')]
  await phone.context.setOffline(true)
  await phone.page.mouse.click(yes.x, yes.y)
  await phone.page.getByText('Not sent').waitFor({ state: 'attached' })
  expect(await readState(away)).toMatchObject({ verdict: '' })
  await desk.page.mouse.click(no.x, no.y)
  await ended(mara)
  await phone.context.setOffline(false)
  await ended(away)
  expect(await readState(away)).toMatchObject({ verdict: 'No', lateSeen: false, buttons: 0 })
  expect((await readState(away)).by).toStartWith('by Mara Lindqvist')
})

test('an answer that could not be sent can be sent once the connection is back', async () => {
  const [, two] = browsers as [Browser, Browser]
  await using phone = await openTab(two, { url: world.url, cookie: ben }, PHONE)
  const away = handOf('Ben Okafor', phone)
  const id = await world.ask({ question: 'Back again?' })
  const yes = await ready(away, id, 'yes')
  await phone.context.setOffline(true)
  await phone.page.mouse.click(yes.x, yes.y)
  await phone.page.getByText('Not sent').waitFor({ state: 'attached' })
  await phone.context.setOffline(false)
  await phone.page.getByText('Live', { exact: true }).waitFor()
  const stored = () => readQuestion({ db: world.db, clock }, { workspaceId: world.workspaceId }, id)
  // Nothing is sent by itself: the person may have thought again.
  expect((await stored())?.status).toBe('pending')
  await phone.page.getByRole('button', { name: 'Yes' }).click()
  await ended(away)
  expect((await stored())?.value).toBe('yes')
  expect((await readState(away)).by).toStartWith('by you')
})
