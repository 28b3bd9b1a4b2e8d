import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readGrants } from '../../src/ask/grants/grants.ts'
import { findQuestion } from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import claudeBash from '../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import { type RelayWorld, relayWorld } from '../support/relay-world.ts'
import { signInAs } from '../support/sign-in.ts'
import { inOneWay, PLACES, type Place } from './answer-places.ts'
import { violations } from './axe.ts'
import { DESK, openTab, openWorld, PHONE } from './chromium.ts'
import { unfold } from './rows.ts'

// A browser on a busy machine.
setDefaultTimeout(90_000)

const { world, browser } = await openWorld()
const granted = () => readGrants({ db: world.db, clock }, { workspaceId: world.workspaceId })
const stored = (id: QuestionId) => findQuestion(world.db.read, world.workspaceId, id)

let calls = 0
const run = () => {
  const action = `npm run check-${++calls}`
  return {
    question: 'Run this command?',
    sessionId: `s${calls}`,
    repoKey: 'shop',
    detail: {
      action,
      toolName: 'Bash',
      toolTarget: action,
      exact: {
        argumentsHash: calls.toString(16).padStart(64, '0'),
        arguments: 'command' as const,
        cwd: '/home/u/shop',
      },
    },
  }
}

/** The page of a session asks in its own. */
function inPlace({ source }: Place, { sessionId, ...question }: ReturnType<typeof run>) {
  return source === 'live_page' ? question : { ...question, sessionId }
}

const WAYS = [
  ['without scripts, on a phone', { ...PHONE, javaScriptEnabled: false }],
  ['with scripts, on a desk', DESK],
] as const
const SIGNED_IN = PLACES.filter(({ source }) => source !== 'answer_link')

describe.each(WAYS.map((way, at) => [...way, at] as const))('%s', (_, options, at) => {
  const some = inOneWay(SIGNED_IN, at)
  const others = inOneWay(SIGNED_IN, at + 1)

  test.each(some)('each length is given on $name', async (place) => {
    for (const [button, length] of [
      ['Yes for 15 minutes', '15_minutes'],
      ['Yes for this session', 'session'],
    ] as const) {
      await using tab = await openTab(browser, world, options)
      const question = run()
      const { id, path } = await place.open(world, inPlace(place, question))
      await tab.page.goto(path)
      const part = tab.page.locator(place.card ? `#card-${id}` : '#decision')
      await unfold(part)
      await part.getByText('Yes, and the next time too…').click()
      await part.getByText('/home/u/shop').waitFor()
      await part.getByRole('button', { name: button }).click()
      await tab.page
        .getByText(/^Approved for/)
        .first()
        .waitFor()
      expect(await stored(id)).toMatchObject({ status: 'answered', value: 'yes' })
      const [first] = await granted()
      expect(first).toMatchObject({ questionId: id, length, action: question.detail.action })
      expect(tab.complaints).toEqual([])
    }
  })

  test('the activity says whole for how long it was approved', async () => {
    await using tab = await openTab(browser, world, options)
    await tab.page.goto('/activity')
    const state = tab.page.getByText('Approved for 15 minutes').first()
    const isCut = (element: HTMLElement) =>
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
    expect(await state.evaluate(isCut)).toBe(false)
  })

  test.each(others)('a rule is shown in words before it is saved, from $name', async (place) => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const question = run()
    const { id, path } = await place.open(world, inPlace(place, question))
    await page.goto(path)
    const part = page.locator(place.card ? `#card-${id}` : '#decision')
    await unfold(part)
    await part.getByText('Yes, and the next time too…').click()
    await part.getByRole('link', { name: 'Always (make this a rule)…' }).click()
    const words = page.getByRole('region', { name: 'What this rule would allow' })
    expect(await words.textContent()).toContain(
      `When an agent runs Bash on ${question.detail.action} in shop, allow it without asking. That is every agent`,
    )
    expect(await page.getByLabel('On what').inputValue()).toBe(question.detail.action)
    expect((await stored(id))?.status).toBe('pending')
    await page.getByRole('button', { name: 'Add the rule' }).click()
    await page.getByText('The rule is saved. This question still waits').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/d/${id}`)
    expect(tab.complaints).toEqual([])
  })

  test('what is allowed is listed, and taken back', async () => {
    await using tab = await openTab(browser, world, options)
    const { page } = tab
    const id = await world.ask(run())
    await page.goto(`/d/${id}`)
    await page.getByText('Yes, and the next time too…').click()
    await page.getByRole('button', { name: 'Yes for 15 minutes' }).click()
    await page.getByText('Approved for 15 minutes').first().waitFor()
    await page.goto('/settings')
    await page.getByRole('link', { name: /Allowed for now/ }).click()
    const [first] = await granted()
    const card = page.locator(`#${first?.id}`)
    expect(await card.textContent()).toContain('Not used yet')
    // Axe is a script.
    if (!('javaScriptEnabled' in options)) expect(await violations(page)).toEqual([])
    await card.getByRole('button', { name: 'Take it back' }).click()
    await card.waitFor({ state: 'detached' })
    expect((await granted()).some(({ questionId }) => questionId === id)).toBe(false)
  })

  const CUT = { action: 'npm run long', toolName: 'Bash', cut: 'digest', missing: 1_234 }
  test.each(some)('what is not shown whole is left to the terminal on $name', async (place) => {
    await using tab = await openTab(browser, world, options)
    const { id, path } = await place.open(world, {
      detail: { ...CUT, permissionMode: 'default' },
    })
    await tab.page.goto(path)
    const part = tab.page.locator(place.card ? `#card-${id}` : '#decision')
    await unfold(part)
    await part.getByText('Why only this once?').click()
    await part.getByText('so it is asked every time').waitFor()
    await part.getByRole('button', { name: 'Decide in the terminal' }).click()
    await tab.page.getByText('In the terminal').first().waitFor()
    expect(await stored(id)).toMatchObject({
      status: 'terminal',
      value: undefined,
      detail: { handedOver: true },
    })
    expect(tab.complaints).toEqual([])
  })
})

test('an answer link offers neither a grant nor a rule', async () => {
  const [place] = PLACES.filter(({ source }) => source === 'answer_link')
  await using tab = await openTab(browser, { ...world, cookie: '' }, PHONE)
  const opened = await place?.open(world, run())
  await tab.page.goto(opened?.path ?? '')
  await tab.page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await tab.page.getByText('the next time too').count()).toBe(0)
  const cut = await place?.open(world, { detail: { action: 'x', cut: 'digest', missing: 9 } })
  await tab.page.goto(cut?.path ?? '')
  await tab.page
    .getByRole('button', { name: 'Decline' })
    .or(tab.page.getByRole('button', { name: 'No' }))
    .first()
    .waitFor()
  expect(await tab.page.getByRole('button', { name: 'Decide in the terminal' }).count()).toBe(0)
})

test('a form may not ask for what was not offered', async () => {
  const question = run()
  const id = await world.ask({
    ...question,
    detail: { ...question.detail, action: 'litestream restore x' },
  })
  const response = await world.post(`/d/${id}/answer`, { grant: 'session', from: 'inbox' })
  expect(response.status).toBe(422)
  expect((await stored(id))?.status).toBe('pending')
})

describe('with the hook of a client', () => {
  let relay: RelayWorld
  let cookie = ''
  beforeAll(async () => {
    relay = await relayWorld()
    cookie = await signInAs(relay.house.app, 'owner')
  })
  afterAll(() => relay[Symbol.asyncDispose]())

  const ALLOW = '"behavior":"allow"'
  const session_id = 'granting'
  const start = (command: string, more: object = {}) =>
    relay.start('claude', { ...claudeBash, session_id, tool_input: { command }, ...more })

  /** Taps in a page of the phone. */
  async function tap(path: string, ...names: string[]) {
    await using tab = await openTab(browser, { url: relay.house.url, cookie }, PHONE)
    await tab.page.goto(path)
    for (const name of names) await tab.page.getByText(name, { exact: true }).first().click()
    await tab.page.waitForLoadState('load')
    await tab.page.waitForTimeout(300)
  }

  test('a yes for 15 minutes lets the same call pass, nothing else, and not once it is taken back', async () => {
    const first = start('npm test')
    const [question] = await relay.asked(session_id)
    await tap(`/d/${question?.id}`, 'Yes, and the next time too…', 'Yes for 15 minutes')
    expect((await first.done).out).toContain(ALLOW)
    expect((await start('npm test').done).out).toContain(ALLOW)
    const { db } = relay.house.app
    const { workspaceId } = relay.house
    const [grant] = await readGrants({ db, clock }, { workspaceId })
    expect(grant).toMatchObject({ uses: 1, cwd: claudeBash.cwd, toolName: 'Bash' })

    for (const more of [
      { tool_input: { command: 'npm test -- a' } },
      { tool_input: { command: 'npm test', timeout: 9 } },
      { cwd: '/home/u' },
    ]) {
      const hook = start('npm test', more)
      const [again] = await relay.asked(session_id)
      await relay.answer(again, 'no')
      expect((await hook.done).out).toContain('"deny"')
    }

    await tap('/settings/allowed', 'Take it back')
    const hook = start('npm test')
    const [again] = await relay.asked(session_id)
    await relay.answer(again, 'no')
    expect((await hook.done).out).toContain('"deny"')
  })

  test('what the phone cannot show is left to the terminal at once', async () => {
    const hook = start(`echo ${'x'.repeat(9_000)}`)
    const [question] = await relay.asked(session_id)
    await tap(`/d/${question?.id}`, 'Decide in the terminal')
    expect(await hook.done).toEqual({ code: 0, out: '', err: '' })
    expect(question && (await relay.look(question))).toMatchObject({
      status: 'terminal',
      answeredBy: 'owner',
    })
  })
})
