import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const { world, browser } = await openWorld()

const ACTION = 'git commit --amend --no-edit --no-verify --allow-empty-message -m wip'
const about = {
  question: 'Run this command?',
  agentName: 'Claude Code - shop-api',
  machineId: 'm1',
  sessionId: 's1',
  detail: { toolName: 'Bash', toolTarget: ACTION, action: ACTION },
}
const open = await world.ask(about)
const ended = { status: 'answered', value: 'yes', answerSource: 'decide_page' } as const
const answered = await world.ask({ ...about, ...ended, endedAt: Date.now() }, 60_000)
await world.ask({ question: 'Which region first?', agentName: 'Codex - infra' })
await world.ask({ question: 'Deploy build 42?', agentName: 'Codex - infra' })
const session = await world.work({ lastAction: ACTION })

const PAGES: [string, string][] = [
  ['/inbox', `#card-${open} .row-question`],
  ['/activity', '#activity .row-title'],
  ['/activity?q=amend', '#activity .row-title'],
  ['/audit', '.row-title'],
  ['/sessions', `#session-${session} .row-sub`],
  [`/live/${session}`, `#event-${answered} .event-name`],
]

/** The flags of a page that break after a hyphen. */
const brokenFlags = (page: Page) =>
  page.locator('#main').evaluate((main) => {
    const broken: string[] = []
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const top = (node: Node, at: number) => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getClientRects()[0]?.top
    }
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.parentElement?.closest('code, .row-title')) continue
      const text = node.textContent ?? ''
      for (const { index } of text.matchAll(/-(?=\w)/g)) {
        const [hyphen, after] = [top(node, index), top(node, index + 1)]
        if (hyphen !== undefined && after !== undefined && after > hyphen + 4) broken.push(text)
      }
    }
    return broken
  })

for (const [size, options] of [
  ['phone', PHONE],
  ['desk', DESK],
] as const) {
  test.each(PAGES)(`the command is the title on a ${size}: %s`, async (path, selector) => {
    await using tab = await openTab(browser, world, options)
    await tab.page.goto(path)
    const titles = await tab.page.locator(selector).allInnerTexts()
    expect(titles.some((title) => title.includes(ACTION))).toBe(true)
    expect(await tab.page.locator('#main').textContent()).not.toContain('Run this command?')
    expect(tab.complaints).toEqual([])
  })
}

test.each([320, 360, 390, 412, 480])('no flag breaks after a hyphen: %d', async (width) => {
  await using tab = await openTab(browser, world, { ...PHONE, viewport: { width, height: 844 } })
  for (const path of ['/inbox', '/activity', '/audit', `/d/${open}`]) {
    await tab.page.goto(path)
    expect(await brokenFlags(tab.page)).toEqual([])
  }
})

test('the title of the page is the command', async () => {
  await using tab = await openTab(browser, world)
  for (const id of [open, answered]) {
    await tab.page.goto(`/d/${id}`)
    expect(await tab.page.title()).toContain('git commit --amend')
  }
})
