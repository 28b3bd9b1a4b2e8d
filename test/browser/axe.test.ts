import { expect, test } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { createToken } from '../../src/ask/accounts/agent-tokens.ts'
import { linkPath } from '../../src/ask/delivery/model/answer-link.ts'
import { recordError, recordSuccess, saveSubscriber } from '../../src/ask/devices/model/store.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { sightHook } from '../../src/ask/scopes/model/hook-store.ts'
import { countUnanswered } from '../../src/ask/sessions/model/store.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { aDevice, connect } from '../support/devices.ts'
import type { PageWorld } from '../support/page-world.ts'
import { isLong } from '../support/share.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'

const { world, browser } = await openWorld()
const paths = await fill(world)

/** A bit of everything, so that every part of every page is there to be looked at. */
async function fill({ ask, tell, work, db, workspaceId }: PageWorld): Promise<string[]> {
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
  const sessions = await fillSessions({ ask, work, db, workspaceId })
  const decide = ids.map((id) => `/d/${id}`)
  const { quickAnswerSecret } = await loadSecrets(db, systemClock)
  const [holder] = await connect(db, { workspaceId })
  const subscriberId = holder?.id ?? 'sub_none'
  const links = ids.map((questionId) =>
    linkPath(quickAnswerSecret, { questionId, subscriberId, purpose: 'page' }),
  )
  return [
    ...['/', '/inbox', '/activity', '/activity?q=nothing', '/settings', '/settings/tokens'],
    ...[
      '/settings/devices',
      '/settings/notifications',
      '/settings/password',
      '/settings/callbacks',
      '/settings/health',
      '/settings/slack',
      '/offline',
      ...sessions,
      '/nowhere',
      `/n/${told.id}`,
      ...decide,
      ...links,
      `${decide.at(-1)}?late`,
    ],
  ]
}

type Fill = Pick<PageWorld, 'ask' | 'work' | 'db' | 'workspaceId'>

/** Sessions of every kind, one paused, one with a contract, and what policy and rules show. */
async function fillSessions({ ask, work, db, workspaceId }: Fill): Promise<string[]> {
  const deps = { db, clock: systemClock }
  const key = { machineId: 'm1', sessionId: 's1' }
  const id = await work({ repoKey: 'shop' })
  await work({ sessionId: 's2', errored: true }, 3 * 60_000)
  await work({ sessionId: 's3', agentName: undefined }, 5 * 60_000)
  await work({ sessionId: 's4' }, 60 * 60_000)
  for (let i = 0; i < 3; i++) {
    await db.write((tx) => countUnanswered(tx, { workspaceId, ...key }, 'unanswered'))
  }
  const contract = { allowedPaths: ['src/**'], offLimitsPaths: [], doneWhen: 'Green' }
  const yes = { status: 'answered', value: 'yes', endedAt: Date.now() } as const
  await ask({ ...key, ...yes, origin: 'scope', detail: { contract } })
  const hook = { workspaceId, ...key, client: 'claude', examplePaths: ['src/a.ts', '.git/config'] }
  await db.write((tx) => sightHook(tx, { ...hook, at: Date.now(), ended: false }))
  await ask({ ...key, ...yes, value: 'no', origin: 'scope', detail: { contract } })
  const held = [
    await ask({ ...key, origin: 'scope', detail: { contract } }),
    await ask({ origin: 'scope', sessionId: 'unwatched', detail: { contract } }),
    await ask({ ...key, detail: { paused: true, action: 'npm publish' } }),
    await ask({ held: 'test_traffic', test: true }),
    await ask({ held: 'unattributed' }),
    await ask({ detail: { phonesHeldUntil: Date.UTC(2100, 0, 1) } }),
    await ask({ status: 'terminal', endedAt: Date.now(), detail: { quiet: true } }),
  ]
  const set = { deliveryMode: 'push_only', waitMs: 50_000, tags: ['work'] } as const
  const match = { toolName: 'Bash', toolTarget: 'git push*' }
  const rule = await addRule(deps, workspaceId, { match, set: { ...set, tags: ['work'] } })
  await addRule(deps, workspaceId, { match: { repoKey: 'shop' }, set: { graceMs: 5_000 } })
  const tried = 'asks=permission&toolName=Bash&toolTarget=git+push'
  return [
    ...['/sessions', `/live/${id}`, '/settings/policy', `/settings/policy?saved&${tried}`],
    ...['/settings/rules', `/settings/rules?${tried}`, '/settings/rules/new'],
    `/settings/rules/${rule.id}`,
    ...held.map((question) => `/d/${question}`),
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

/** What axe finds twice: a list that was just being replaced has sizes that nobody sees. */
async function violations(page: Page, tags: string[]): Promise<string[]> {
  const found = await look(page, tags)
  if (found.length === 0) return found
  const again = await look(page, tags)
  return found.filter((one) => again.includes(one))
}

async function look(page: Page, tags: string[]): Promise<string[]> {
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
    // Size matters to few rules: in the quick run axe looks at a phone, and a desk is measured.
    const looks = isLong || options === PHONE
    for (const path of [...paths, '/sign-in?next=/d/q_1']) {
      const { page } = path.startsWith('/sign-in') ? stranger : tab
      await page.goto(path)
      await page.evaluate(openEverything)
      if (looks) {
        found.push(...(await violations(page, ALL)))
        await page.emulateMedia({ colorScheme: 'dark' })
        found.push(...(await violations(page, CONTRAST)))
        await page.emulateMedia({ colorScheme: 'light' })
      }
      // A phone says that its window is as wide as what is in it.
      const { width } = options.viewport
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      const sideways = wide - width
      if (sideways > 1) found.push(`${path} scrolls sideways by ${sideways}`)
    }
    expect(found).toEqual([])
  },
  120_000,
)

test.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])('axe finds nothing on forms that came back: %s', async (_, options) => {
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  const found: string[] = []
  async function look() {
    await page.getByRole('alert').getByText('Nothing was saved.').waitFor()
    found.push(...(await violations(page, ALL)))
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await violations(page, CONTRAST)))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.goto('/settings/policy')
  await page.getByLabel('Time zone').fill('Mars/Base')
  await page.getByLabel('Approvals ring nowhere').check()
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await look()
  await page.goto('/settings/rules/new')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await look()
  expect(found).toEqual([])
})
