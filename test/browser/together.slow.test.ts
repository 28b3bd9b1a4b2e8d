import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findPersonByEmail } from '../../src/ask/accounts/model/person-store.ts'
import { switchUndo } from '../../src/ask/answering/hold-answer.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { pageWorld } from '../support/page-world.ts'
import { DESK, openChromium, openTab, PHONE } from './chromium.ts'

// A browser on a busy machine.
setDefaultTimeout(60_000)

const browser = await openChromium()
const SESSION = { machineId: 'm1', sessionId: 's1', agentName: 'Codex - shop' }

describe.each([
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a desk', DESK],
])('%s', (_, options) => {
  test('identical questions take one yes, the chosen others one no', async () => {
    await using world = await pageWorld()
    const ask = (action: string) =>
      world.ask({ ...SESSION, question: `Run ${action}?`, detail: { toolName: 'Bash', action } })
    const tests = [await ask('npm test'), await ask('npm test')]
    const [build, wipe] = [await ask('npm run build'), await ask('rm -rf dist')]
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const storedValue = async (id: (typeof tests)[0]) =>
      (await findQuestion(world.db.read, world.workspaceId, id))?.value
    await page.goto('/inbox')
    const fold = page.locator('.together')
    await fold.locator('summary').first().click()
    await fold.getByRole('button', { name: 'Approve these 2' }).click()
    await page.getByText('You answered 2 questions.').waitFor()
    for (const id of tests) expect(await storedValue(id)).toBe('yes')
    expect(await storedValue(build)).toBeUndefined()

    await fold.locator('summary').first().click()
    await fold.getByRole('checkbox', { name: 'npm run build' }).uncheck()
    await fold.getByRole('button', { name: 'Decline the chosen approvals' }).click()
    await page.getByText('You answered one question.').waitFor()
    expect([await storedValue(build), await storedValue(wipe)]).toEqual([undefined, 'no'])
    expect(tab.complaints).toEqual([])
  })

  test('identical choices take one choice, in the list as it is filtered', async () => {
    await using world = await pageWorld()
    const choices = [{ label: 'SQLite', description: 'One file' }, { label: 'PostgreSQL' }]
    const choice = { ...SESSION, type: 'select', question: 'Which database?', choices } as const
    const ids = [await world.ask(choice), await world.ask(choice)]
    await world.ask({ ...SESSION, agentName: 'Claude - shop', sessionId: 's2' })
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    await page.goto('/inbox?agent=Codex')
    await page.locator('.together summary').first().click()
    await page.locator('.together').getByLabel('SQLite').check()
    await page.locator('.together').getByRole('button', { name: 'Send to these 2' }).click()
    await page.getByText('You answered 2 questions.').waitFor()
    for (const id of ids) {
      const question = await findQuestion(world.db.read, world.workspaceId, id)
      expect([question?.value, question?.answerSource]).toEqual(['SQLite', 'inbox'])
    }
    expect(new URL(page.url()).searchParams.get('agent')).toBe('Codex')
    expect(await page.getByText('Filtered').count()).toBe(1)
    expect(tab.complaints).toEqual([])
  })
})

test('an answer to several is taken back with one tap', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const waitEndsAt = Date.now() + 600_000
  const about = { ...SESSION, waitEndsAt, expiresAt: waitEndsAt + 600_000 }
  const ask = () =>
    world.ask({ ...about, question: 'Run it?', detail: { toolName: 'Bash', action: 'npm test' } })
  const ids = [await ask(), await ask()]
  const statusOf = async (id: (typeof ids)[0]) =>
    (await findQuestion(db.read, workspaceId, id))?.status
  const mara = await findPersonByEmail(db.read, 'mara@example.org')
  if (mara) await switchUndo({ db, clock }, mara, true)
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/inbox')
  await page.locator('.together > summary').click()
  await page.getByRole('button', { name: 'Approve these 2' }).click()
  await page.getByText('You answered 2 questions.').waitFor()
  await page.getByRole('button', { name: 'Undo all 2' }).click()
  await page.locator('.together > summary').waitFor()
  expect(await Promise.all(ids.map(statusOf))).toEqual(['pending', 'pending'])
  expect(await page.getByText('You answered').count()).toBe(0)
  expect(tab.complaints).toEqual([])
})

test('a question that arrives is chosen by nobody, and an opened row stays open', async () => {
  await using world = await pageWorld()
  const ask = (n: number) =>
    world.ask({
      ...SESSION,
      question: `Step ${n}?`,
      detail: { toolName: 'Bash', action: `x ${n}` },
    })
  const [first] = [await ask(1), await ask(2), await ask(3)]
  await using tab = await openTab(browser, world, PHONE)
  const { page } = tab
  await page.goto('/inbox')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator(`#card-${first} > .fold > summary`).click()
  await page.locator('.together > summary').click()
  await ask(4)
  const late = page.getByRole('checkbox', { name: 'Step 4?' })
  await late.waitFor()
  expect(await late.isChecked()).toBe(false)
  expect(await page.getByRole('checkbox', { name: 'Step 3?' }).isChecked()).toBe(true)
  expect(await page.locator(`#card-${first} > .fold`).getAttribute('open')).not.toBeNull()
  expect(await page.title()).toStartWith('(4) Inbox')
  // The row that was opened is in sight, and nothing covers its answers.
  const yes = page.locator(`#card-${first}`).getByRole('button', { name: 'Approve' })
  await yes.click()
  await page.locator(`#card-${first} .card-end`).getByText('Approved').waitFor()
  expect(tab.complaints).toEqual([])
})
