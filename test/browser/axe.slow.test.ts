import { expect, test } from 'bun:test'
import { listPeople } from '../../src/ask/accounts/model/person-store.ts'
import { listSignIns } from '../../src/ask/accounts/model/sign-in-store.ts'
import { linkPath } from '../../src/ask/delivery/model/links.ts'
import { addPerson } from '../../src/ask/people/people.ts'
import { addRule } from '../../src/ask/policy/change-policy.ts'
import { followQuestion } from '../../src/ask/questions/model/store.ts'
import { sightHook } from '../../src/ask/scopes/model/hook-store.ts'
import { countUnanswered } from '../../src/ask/sessions/model/store.ts'
import { snoozeQuestion } from '../../src/ask/snooze/snooze-question.ts'
import {
  recordError,
  recordSuccess,
  saveSubscriber,
} from '../../src/ask/subscribers/model/store.ts'
import { createToken } from '../../src/ask/tokens/agent-tokens.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { loadSecrets } from '../../src/platform/db/settings-store.ts'
import { aDevice, connect } from '../support/devices.ts'
import type { PageWorld } from '../support/page-world.ts'
import { pagesToVisit } from '../support/pages-to-visit.ts'
import { everyNth, isWide } from '../support/share.ts'
import { faultsOf, SIZES } from './axe.ts'
import { openTab, openWorld, PHONE } from './chromium.ts'

const { world, browser } = await openWorld()
const filled = await fill(world)
const paths = [...filled, ...(await pagesToVisit(world, filled))]

/** A bit of everything, so that every part of every page is there to be looked at. */
async function fill({
  ask,
  tell,
  work,
  db,
  workspaceId,
  otherBrowser,
}: PageWorld): Promise<string[]> {
  const agentName = 'Claude Code - shop-api'
  const choices = [{ label: 'SQLite', description: 'One file' }, { label: 'PostgreSQL' }]
  const actionBody = [
    ...['--- a/src/a.ts', '+++ b/src/a.ts', '@@ -1,3 +1,14 @@', " const a = 'one' // as before"],
    ...Array.from({ length: 12 }, (_, i) => `+const line${i} = f("${i}", ${i}) // new`),
    '-let old = true /* gone */',
  ].join('\n')
  const detail = { context: 'c', action: 'ls', actionBody, blocker: 'b', intent: 'i' }
  const several = { multiSelect: true, allowOther: true, header: 'Database' }
  const ended = { agentName, endedAt: Date.now() }
  const ids = [
    await ask({ agentName, detail }),
    await ask({
      agentName,
      detail: {
        action: 'rm -rf dist',
        actionBody: 'A="$B" rm -rf dist # all\nls -la ▇▇▇ (API key)',
      },
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
  const hours = await ask({ agentName, question: 'Which region?' })
  const later = await ask({ agentName, question: 'Which name?' })
  await db.write((tx) =>
    followQuestion(tx, { workspaceId, id: hours }, Date.now(), Date.now() + 6 * 3_600_000),
  )
  const [mara] = await listPeople(db.read, workspaceId)
  if (mara) await snoozeQuestion({ db, clock: systemClock }, mara, later, '5_minutes')
  const who = { email: 'bo@example.org', name: 'Bo' }
  const { person: bo } = await addPerson({ db, clock: systemClock }, who)
  await createToken({ db, clock: systemClock }, { workspaceId, name: 'Of Bo', by: bo.id })
  await otherBrowser()
  const signIns = await listSignIns(db.read, mara?.id ?? '', {
    now: Date.now(),
    offset: 0,
    limit: 10,
  })
  const notification = await tell({
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
      aDevice({
        ...{ workspaceId, kind: 'phone', label: 'iPhone' },
        ...{ personId: mara?.id, signInId: signIns[0]?.id },
      }),
    )
    await recordSuccess(tx, [id], Date.now())
    await recordError(tx, [id], Date.now(), 'the push service answered 503')
  })
  const sessions = await fillSessions({ ask, work, db, workspaceId })
  // What a question has is in its card, too, and the inbox has the cards of all.
  const decide = ids.filter((_, i) => isWide || i % 2 === 1).map((id) => `/d/${id}`)
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
      '/settings/undo',
      '/settings/password',
      '/settings/passkeys',
      `/settings/people/${bo.id}/remove`,
      '/settings/clients',
      '/settings/callbacks',
      '/settings/health',
      '/settings/slack',
      '/settings/telegram',
      '/offline',
      ...sessions,
      '/nowhere',
      `/n/${notification.id}`,
      ...decide,
      ...everyNth(links, isWide ? 3 : 6),
      `${decide.at(-1)}?late`,
    ],
  ]
}

type Fill = Pick<PageWorld, 'ask' | 'work' | 'db' | 'workspaceId'>

/** Sessions of every kind, one paused, one with a contract, and what policy and rules show. */
async function fillSessions({ ask, work, db, workspaceId }: Fill): Promise<string[]> {
  const deps = { db, clock: systemClock }
  const key = { machineId: 'm1', sessionId: 's1' }
  const id = await work({ repoKey: 'shop', branch: 'topic', intent: 'i', machineName: 'laptop' })
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
    ...['/sessions', `/live/${id}`, '/repositories', '/repositories?repoKey=shop'],
    ...['/settings/policy', `/settings/policy?saved&${tried}`],
    ...['/settings/rules', `/settings/rules?${tried}`, '/settings/rules/new'],
    `/settings/rules/${rule.id}`,
    ...held.filter((_, i) => isWide || i % 2 === 0).map((question) => `/d/${question}`),
  ]
}

/** Folds opened and the page at its end: what sticks to the window covers nothing there. */
function openEverything() {
  for (const fold of document.querySelectorAll('main details')) fold.setAttribute('open', '')
  scrollTo(0, document.body.scrollHeight)
}

test('the inbox that is looked at has every part', async () => {
  await using tab = await openTab(browser, world, PHONE)
  await tab.page.goto('/inbox')
  await tab.page.getByRole('heading', { name: 'Waiting for hours' }).waitFor()
  await tab.page.locator('.snoozed').waitFor()
})

test.each(SIZES)(
  'axe finds nothing on any page, in light and dark: $name',
  async ({ options }) => {
    const problems: string[] = []
    await using tab = await openTab(browser, world, options)
    await using stranger = await openTab(browser, { url: world.url, cookie: '' }, options)
    for (const [turn, path] of [...paths, '/sign-in?next=/d/q_1'].entries()) {
      const { page } = path.startsWith('/sign-in') ? stranger : tab
      await page.goto(path)
      await page.evaluate(openEverything)
      problems.push(...(await faultsOf(page, turn)))
    }
    expect(problems).toEqual([])
  },
  240_000,
)

test.each(SIZES)('axe finds nothing on forms that came back: $name', async ({ options }) => {
  await using tab = await openTab(browser, world, options)
  const { page } = tab
  const problems: string[] = []
  async function look(turn: number) {
    await page.getByRole('alert').getByText('Nothing was saved.').waitFor()
    problems.push(...(await faultsOf(page, turn)))
  }
  await page.goto('/settings/policy')
  await page.getByText('More: exact times').click()
  await page.getByLabel('Time zone').fill('Mars/Base')
  await page.getByLabel('Approvals ring nowhere').check()
  await page.getByRole('button', { name: 'Save the policy' }).click()
  await look(0)
  await page.goto('/settings/rules/new')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await look(1)
  expect(problems).toEqual([])
})
