import { expect, test } from 'bun:test'
import { violations } from './axe.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

const { world, browser } = await openWorld()
const MINUTE = 60_000
const SHOP = { agentName: 'Codex - shop', repoKey: 'github.com/acme/shop' }
const YES = { status: 'answered', value: 'yes', answerSource: 'inbox' } as const
const detail = { action: 'git push origin main', toolName: 'Bash' }
const ended = { endedAt: Date.now() - 4 * MINUTE }
await world.ask({ ...SHOP, ...YES, ...ended, answeredAs: 'Jonas', detail }, 5 * MINUTE)
await world.ask({ ...SHOP, status: 'expired', ...ended, question: 'Colour?' }, 14 * MINUTE)
await world.ask({ agentName: 'Gemini', question: 'Anybody there?' })

const SIZES = [
  ['a phone', PHONE],
  ['a desktop', DESK],
] as const
const ways = SIZES.flatMap(([name, size]) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [true, false].map((javaScriptEnabled) => ({
      name: `${name}, ${colorScheme}, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
      options: { ...size, colorScheme, javaScriptEnabled },
    })),
  ),
)

test.each(ways)('a day is read, filtered, and its trail unfolds: $name', async ({ options }) => {
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.goto('/inbox')
  await page.getByRole('link', { name: 'Activity', exact: true }).click()
  const line = page.locator('#activity .row').filter({ hasText: 'git push origin main' })
  expect(await line.textContent()).toContain('Jonas from the inbox, 1 minute')
  expect(await line.textContent()).toContain('Approved')
  await page.getByRole('heading', { name: 'Codex · shop' }).waitFor()
  await fits()
  if (options.javaScriptEnabled) expect(await violations(page)).toEqual([])

  await page.locator('details.filters > summary').click()
  await page.getByLabel('Outcome').selectOption({ label: 'Nobody answered' })
  await page.getByRole('button', { name: 'Show these' }).click()
  await page.waitForURL(/outcome=unanswered/)
  expect(await page.locator('#activity .row-title').allInnerTexts()).toEqual(['Colour?'])
  await fits()
  await page.getByRole('link', { name: 'Show all' }).click()

  await page.getByRole('link', { name: 'Audit', exact: true }).click()
  const row = page.locator('.folded').filter({ hasText: 'git push origin main' })
  expect(await row.locator('.trail-lines').isVisible()).toBe(false)
  await row.locator('summary').click()
  expect(await row.locator('.trail-lines').textContent()).toContain('Answered · Jonas')
  await fits()
  if (options.javaScriptEnabled) expect(await violations(page)).toEqual([])
  await row.getByRole('link', { name: 'Open the question' }).click()
  await page.waitForURL(/\/d\/q_/)
})

test('the trail unfolds by the keyboard, and its files are behind links', async () => {
  await using tab = await openTab(browser, world, DESK)
  const { page } = tab
  await page.goto('/audit')
  const row = page.locator('.folded').filter({ hasText: 'git push origin main' })
  await row.locator('summary').focus()
  await page.keyboard.press('Enter')
  await row.locator('.trail-lines').waitFor()
  await page.getByText('Filter and export').click()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('beckon-audit.csv')
})
