import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { paths } from '../../src/ask/pages/paths.ts'
import { recordSignIn } from '../../src/ask/sign-in/sign-in-trail.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'
import { unfold } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

const script = Array.from({ length: 60 }, (_, i) => `step ${i} of the deployment`).join('\n')
const detail = { action: 'npm publish', actionBody: script, context: 'All checks are green.' }

/** Whether a tap in the middle of `part` hits it, rather than something that covers it. */
const isHit = (part: Locator) =>
  part.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit === one || one.contains(hit)
  })

/** Taps a summary where it stands lowest: just above the bar. */
async function openLow(scope: Locator, name: string) {
  const summary = scope.locator('.extras summary', { hasText: name })
  await summary.evaluate((one) => {
    const bar = document.querySelector('.decision .bar, .nav')
    const end = Math.min(innerHeight, bar?.getBoundingClientRect().top ?? innerHeight)
    scrollBy({ top: one.getBoundingClientRect().bottom - end + 4, behavior: 'instant' })
  })
  await summary.click()
}

test.each(['/d/', '/inbox'])('a note and a stop open in sight, above the bar: %s', async (path) => {
  // A card with a long body has to be opened before it can be answered.
  const question = { detail: path === '/d/' ? detail : { ...detail, actionBody: 'npm publish' } }
  const id = await world.ask(question)
  await world.ask({ question: 'The next one?', ...question })
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const at = path === '/d/' ? `/d/${id}` : path
  const scope = page.locator(path === '/d/' ? '#decision' : `#card-${id}`)
  await page.goto(at)
  if (path !== '/d/') await unfold(scope)
  await openLow(scope, 'Add a note')
  const note = page.locator(`#note-${id}`)
  await page.waitForFunction((field) => document.activeElement?.id === field, `note-${id}`)
  expect(await isHit(note)).toBe(true)
  await page.goto(at)
  if (path !== '/d/') await unfold(scope)
  await openLow(scope, 'Stop the agent')
  const stop = scope.getByRole('button', { name: 'Stop it now' })
  await page.waitForFunction(() => document.activeElement?.textContent?.trim() === 'Stop it now')
  expect(await isHit(stop)).toBe(true)
  expect(tab.complaints).toEqual([])
})

test('an opened row keeps its answers in sight when the longer yes is unfolded', async () => {
  const action = 'npm run check'
  const exact = {
    argumentsHash: 'a'.repeat(64),
    arguments: 'command',
    cwd: '/home/u/shop',
  } as const
  const call = { toolName: 'Bash', toolTarget: action, action, exact }
  const about = { question: 'Run this command?', sessionId: 's1', machineId: 'm1', repoKey: 'shop' }
  const id = await world.ask({ ...about, detail: call })
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/inbox')
  const card = page.locator(`#card-${id}`)
  await unfold(card)
  await card.getByText('Yes, and the next time too…').click()
  await card.getByRole('button', { name: 'Yes for 15 minutes' }).waitFor()
  expect(await isHit(card.getByRole('button', { name: 'Approve' }))).toBe(true)
  expect(await isHit(card.getByRole('button', { name: 'Yes for 15 minutes' }))).toBe(true)
  expect(tab.complaints).toEqual([])
})

test('a long command is open and ends with its last line', async () => {
  const id = await world.ask({ detail })
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto(`/d/${id}`)
  const code = page.locator('.body .code')
  expect(await code.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true)
  await page.locator('.body .line').last().scrollIntoViewIfNeeded()
  expect(await isHit(page.locator('.body .line').last())).toBe(true)
})

/** Every page whose address is the same for everybody, and those of the channels. */
async function pagesOfAll(): Promise<string[]> {
  const more = ['/settings/slack', '/settings/telegram', '/repositories?repoKey=shop', '/nowhere']
  const fixed = Object.values(paths).filter((path) => !path.includes(':'))
  const pages: string[] = []
  for (const path of [...fixed, ...more]) {
    const { headers, status } = await world.get(path)
    const isPage = headers.get('content-type')?.startsWith('text/html') && status !== 405
    if (isPage) pages.push(path)
  }
  return pages
}

test('with text at 200 % no page scrolls sideways on a phone', async () => {
  const agentName = 'Claude Code - shop-api'
  const choices = [{ label: 'SQLite', description: 'One file' }, { label: 'PostgreSQL' }]
  const ids = [
    await world.ask({ agentName, detail: { action: 'rm -rf build && npm run deploy' } }),
    await world.ask({ agentName, type: 'select', choices }),
    await world.ask({ agentName, type: 'input' }),
    await world.ask({ agentName, status: 'answered', value: 'no', endedAt: Date.now() }),
    await world.ask({ agentName, detail, test: true }),
  ]
  const session = await world.work()
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  const wide: string[] = []
  const pages = await pagesOfAll()
  expect(pages.length).toBeGreaterThan(20)
  for (const path of [...pages, `/live/${session}`, ...ids.map((id) => `/d/${id}`)]) {
    await page.goto(path)
    const width = await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      for (const fold of document.querySelectorAll('main details')) fold.setAttribute('open', '')
      return document.documentElement.scrollWidth
    })
    if (width > 391) wide.push(`${path} is ${width} wide`)
  }
  expect(wide).toEqual([])
})

test('the audit trail says from which address, whole, on a phone too', async () => {
  const from = '2001:0db8:85a3:0000:0000:8a2e:0370:7334'
  const who = { email: 'mara@example.org' }
  const what = { kind: 'sign_in.ended', how: 'all other sign-ins ended' } as const
  await recordSignIn({ db: world.db, clock }, { ...what, who, from })
  await using tab = await openTab(browser, world, PHONE)
  await tab.page.goto('/audit')
  const row = tab.page.locator('.row', { hasText: from })
  const cut = await row.evaluate((one) =>
    [one, ...one.querySelectorAll('*')]
      .filter((part) => part.clientWidth > 0)
      .filter(
        ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
          scrollHeight > clientHeight || scrollWidth > clientWidth,
      )
      .map(({ className }) => className),
  )
  expect(cut).toEqual([])
})
