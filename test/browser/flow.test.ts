import { expect, setDefaultTimeout, test } from 'bun:test'
import { readQuestion } from '../../src/ask/inbox/read-questions.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../support/page-world.ts'
import { DESK, openChromium, openTab, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const browser = await openChromium()
const ways = [
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a phone', PHONE],
  ['with scripts, on a desk', DESK],
] as const

/** Questions of three sessions, the nearest deadline first. */
async function askThree(world: PageWorld): Promise<QuestionId[]> {
  const ids: QuestionId[] = []
  for (const [i, name] of ['One', 'Two', 'Three'].entries()) {
    const expiresAt = Date.now() + 300_000 + i * 60_000
    ids.push(await world.ask({ question: `${name}?`, agentName: name, expiresAt }))
  }
  return ids
}

async function answersOf({ db, workspaceId }: PageWorld, ids: (QuestionId | undefined)[]) {
  const questions = ids.map((id) =>
    readQuestion({ db, clock: systemClock }, { workspaceId }, id ?? ''),
  )
  return (await Promise.all(questions)).map((question) => question?.value)
}

test.each(ways)('%s: after an answer the next question opens in its place', async (_, options) => {
  await using world = await pageWorld()
  const [one, two, three] = await askThree(world)
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  await page.goto(`/d/${two}`)
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByRole('heading', { name: 'Three?' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/d/${three}`)
  expect(await page.locator('.just p').textContent()).toBe('Yes: Two?2 left')
  await page.locator('.answers:not([inert])').waitFor()
  await page.getByRole('button', { name: 'No' }).click()
  await page.getByRole('heading', { name: 'One?' }).waitFor()
  await page.locator('.answers:not([inert])').waitFor()
  await page.getByRole('button', { name: 'No' }).click()
  await page.getByText('Nothing else is waiting').waitFor()
  expect(await answersOf(world, [one, two, three])).toEqual(['no', 'yes', 'no'])
  expect(tab.complaints).toEqual([])
})

test.each(ways)('%s: the next row of the inbox opens', async (_, options) => {
  await using world = await pageWorld()
  const [one, two, three] = await askThree(world)
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  await page.goto(`/inbox?open=${two}`)
  await page.locator(`#card-${two}`).getByRole('button', { name: 'Yes' }).click()
  const next = page.locator(`#card-${three}`)
  await next.getByRole('button', { name: 'Yes' }).waitFor()
  await next.locator('.answers:not([inert])').waitFor()
  await next.getByRole('button', { name: 'No' }).click()
  const first = page.locator(`#card-${one}`)
  await first.locator('.answers:not([inert])').waitFor()
  await first.getByRole('button', { name: 'No' }).click()
  await page.getByRole('heading', { name: 'Welcome, Mara' }).waitFor()
  expect(await answersOf(world, [one, two, three])).toEqual(['no', 'yes', 'no'])
  expect(tab.complaints).toEqual([])
})

test('a second tap at once does not answer the next question', async () => {
  await using world = await pageWorld()
  const [one, two] = await askThree(world)
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto(`/d/${one}`)
  await page.evaluate(() => {
    const tapAgain = () => {
      const button = document.querySelector('[data-key="y"]')
      const { left, top } = button?.getBoundingClientRect() ?? { left: 0, top: 0 }
      const hit = document.elementFromPoint(left + 20, top + 20)
      if (hit instanceof HTMLElement) hit.click()
      document.body.dataset.tapped = 'again'
    }
    document.addEventListener('htmx:afterSwap', () => setTimeout(tapAgain, 100), { once: true })
  })
  await page.getByRole('button', { name: 'Yes' }).tap()
  await page.waitForFunction((id) => location.pathname === `/d/${id}`, two)
  await page.locator('[data-tapped] .answers:not([inert])').waitFor()
  expect(await answersOf(world, [two])).toEqual([undefined])
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('beside the list a long change is whole, with its buttons', async () => {
  await using world = await pageWorld()
  await askThree(world)
  const actionBody = Array.from({ length: 60 }, (_, i) => `step ${i} of the deployment`).join('\n')
  const id = await world.ask({ question: 'Deploy?', detail: { action: 'deploy', actionBody } })
  await using tab = await openTab(browser, world, DESK)
  const { page } = tab
  await page.goto('/inbox')
  const card = page.locator(`#card-${id}`)
  await card.locator('summary').first().click()
  await card.getByText('step 59 of the deployment').waitFor()
  await card.locator('.closer:not([inert]) [data-answers]').waitFor()
  expect(await page.getByRole('link', { name: 'Look closer' }).isVisible()).toBe(false)
  await card.getByRole('button', { name: 'Approve' }).click()
  await card.getByText('Approved').waitFor()
  expect(await answersOf(world, [id])).toEqual(['yes'])
  expect(tab.complaints).toEqual([])
})
