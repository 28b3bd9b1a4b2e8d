import { afterAll, beforeAll, expect, test } from 'bun:test'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { createToken } from '../../src/flows/agent-tokens.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { recordError, recordSuccess, saveSubscriber } from '../../src/subscribers/store.ts'
import { aDevice } from '../support/devices.ts'
import { type PageWorld, pageWorld } from '../support/page-world.ts'
import { DESK, openTab, PHONE, startChromium } from './chromium.ts'

let world: PageWorld
let browser: Browser
let paths: string[]
beforeAll(async () => {
  world = await pageWorld()
  browser = await startChromium()
  paths = await fill(world)
})
afterAll(async () => {
  await browser.close()
  await world[Symbol.asyncDispose]()
})

/** A bit of everything, so that every part of every page is there to be looked at. */
async function fill({ ask, tell, db, workspaceId }: PageWorld): Promise<string[]> {
  const agentName = 'Claude Code - shop-api'
  const choices = [{ label: 'SQLite', description: 'One file' }, { label: 'PostgreSQL' }]
  const actionBody = [
    '@@ -1 +1 @@',
    ...Array.from({ length: 14 }, (_, i) => `+line ${i}`),
    '-old',
  ].join('\n')
  const detail = { context: 'c', action: 'ls', actionBody, blocker: 'b', intent: 'i' }
  const several = { multiSelect: true, allowOther: true, header: 'Database' }
  const ended = { agentName, endedAt: Date.now() }
  const ids = [
    await ask({ agentName, detail }),
    await ask({
      agentName,
      detail: { action: 'rm -rf dist', actionBody: 'rm -rf dist\n▇▇▇ (API key)' },
    }),
    await ask({ agentName, type: 'select', choices }),
    await ask({ agentName, type: 'select', choices, detail: several }),
    await ask(
      { agentName, type: 'input', detail: { placeholder: 'A name' }, test: true },
      9.5 * 60_000,
    ),
    await ask({ ...ended, status: 'answered', value: 'yes', note: 'n', answerSource: 'inbox' }),
    await ask({ ...ended, status: 'stopped' }),
    await ask(ended, 20 * 60_000),
  ]
  const told = await tell({
    agentName,
    url: 'https://ci.example.org',
    context: {
      type: 'error',
      summary: 's',
      details: ['d'],
      errorMessage: 'e',
      filesChanged: ['f'],
    },
  })
  await createToken({ db, clock: systemClock }, { workspaceId, name: 'Laptop' })
  await createToken({ db, clock: systemClock }, { workspaceId, name: 'CI', test: true })
  await db.write(async (tx) => {
    const { id } = await saveSubscriber(
      tx,
      aDevice({ workspaceId, kind: 'phone', label: 'iPhone' }),
    )
    await recordSuccess(tx, [id], Date.now())
    await recordError(tx, [id], Date.now(), 'the push service answered 503')
  })
  const decide = ids.map((id) => `/d/${id}`)
  return [
    ...['/', '/inbox', '/activity', '/activity?q=nothing', '/settings', '/settings/tokens'],
    ...[
      '/settings/devices',
      '/settings/callbacks',
      '/offline',
      '/nowhere',
      `/n/${told.id}`,
      ...decide,
      `${decide.at(-1)}?late`,
    ],
  ]
}

// Best practices too: nothing of what axe knows is excused.
const ALL = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']
// The target sizes and the rest do not change with the colours.
const CONTRAST = ['cat.color']

/** Folds opened and the page at its end: what sticks to the window covers nothing there. */
function openEverything() {
  for (const fold of document.querySelectorAll('main details')) fold.setAttribute('open', '')
  scrollTo(0, document.body.scrollHeight)
}

async function violations(page: Page, tags: string[]): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(async (runOnly) => {
    const { axe: there } = window as unknown as { axe: typeof axe }
    const { violations: all } = await there.run(document, { runOnly })
    return all.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }, tags)
  return found.map((one) => `${new URL(page.url()).pathname} ${one}`)
}

test.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])(
  'axe finds nothing on any page, in light and dark: %s',
  async (_, options) => {
    const found: string[] = []
    await using tab = await openTab(browser, world, options)
    await using stranger = await openTab(browser, { url: world.url, cookie: '' }, options)
    for (const path of [...paths, '/sign-in?next=/d/q_1']) {
      const { page } = path.startsWith('/sign-in') ? stranger : tab
      await page.goto(path)
      await page.evaluate(openEverything)
      found.push(...(await violations(page, ALL)))
      await page.emulateMedia({ colorScheme: 'dark' })
      found.push(...(await violations(page, CONTRAST)))
      await page.emulateMedia({ colorScheme: 'light' })
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (sideways > 1) found.push(`${path} scrolls sideways by ${sideways}`)
    }
    expect(found).toEqual([])
  },
  120_000,
)
