import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const SESSION = { machineId: 'm1', sessionId: 's1', agentName: 'Codex - shop' }
const NPM_TEST = { toolName: 'Bash', action: 'npm test' }

const ask = (changes: Partial<Question> = {}) =>
  world.ask({ ...SESSION, question: 'Run the tests?', detail: NPM_TEST, ...changes })

const send = (value: string, ids: readonly QuestionId[], from = 'inbox') =>
  world.post('/inbox/together', [['from', from], ['value', value], ...ids.map((id) => ['id', id])])

async function stored(id: QuestionId) {
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  return [question?.status, question?.value, question?.answerSource]
}

test('alike questions are declined together, each for itself, from the page that was open', async () => {
  const ids = [
    await ask(),
    await ask({ question: 'Delete it?', detail: { toolName: 'Bash', action: 'rm -rf dist' } }),
  ]
  const response = await send('no', ids, 'dashboard')
  expect([response.status, response.headers.get('location')?.startsWith('/?showing=')]).toEqual([
    303,
    true,
  ])
  for (const id of ids) expect(await stored(id)).toEqual(['answered', 'no', 'dashboard'])
  const page = await (await world.get(response.headers.get('location') ?? '')).text()
  expect(page).toContain('You answered 2 questions.')
})

test('identical questions are approved together, and what had ended before is said', async () => {
  const [one, two, three] = [await ask(), await ask(), await ask()] as const
  await world.post(`/d/${two}/stop`, { from: 'inbox' })
  const response = await send('yes', [one, two, three])
  expect(await stored(one)).toEqual(['answered', 'yes', 'inbox'])
  expect((await stored(two))[0]).toBe('stopped')
  expect(await stored(three)).toEqual(['answered', 'yes', 'inbox'])
  const page = await (await world.get(response.headers.get('location') ?? '')).text()
  expect(page).toContain('id="together"')
})

test('identical choices take one choice, each for itself; others are refused', async () => {
  const choices = [{ label: 'SQLite' }, { label: 'no' }]
  const choice = { type: 'select', question: 'Which one?', choices, detail: {} } as const
  const pairs = [
    [await ask(choice), await ask(choice)],
    [await ask(choice), await ask(choice)],
  ]
  expect((await send('SQLite', pairs[0] ?? [])).status).toBe(303)
  expect((await send('no', pairs[1] ?? [])).status).toBe(303)
  for (const id of pairs[0] ?? []) expect(await stored(id)).toEqual(['answered', 'SQLite', 'inbox'])
  for (const id of pairs[1] ?? []) expect(await stored(id)).toEqual(['answered', 'no', 'inbox'])
  const refused: Array<[string, Partial<Question>, Partial<Question>]> = [
    ['SQLite', choice, { ...choice, choices: [{ label: 'SQLite' }] }],
    ['SQLite', choice, { ...choice, sessionId: 's2' }],
    ['MySQL', choice, choice],
    ['no', choice, {}],
    [
      'SQLite',
      { ...choice, detail: { multiSelect: true } },
      { ...choice, detail: { multiSelect: true } },
    ],
    ['a', { type: 'input' }, { type: 'input' }],
  ]
  for (const [value, one, other] of refused) {
    const ids = [await ask(one), await ask(other)]
    expect([value, (await send(value, ids)).status]).toEqual([value, 422])
    for (const id of ids) expect((await stored(id))[0]).toBe('pending')
  }
})

test('the filters of the list stay after a form on it', async () => {
  const referer = `${world.url}/inbox?agent=Codex&kind=confirm&open=q_1&after=x`
  const address = '/inbox?agent=Codex&kind=confirm&'
  const led = async (path: string, fields: string[][]) =>
    (await world.post(path, fields, { referer })).headers.get('location') ?? ''
  const [one, two, three] = [await ask(), await ask(), await ask()]
  const from = ['from', 'inbox']
  expect(
    await led('/inbox/together', [from, ['value', 'yes'], ['id', one], ['id', two]]),
  ).toStartWith(`${address}showing=`)
  expect(await led(`/d/${three}/snooze`, [from, ['for', '5_minutes']])).toBe(
    `${address}snoozed=${three}`,
  )
  expect(await led(`/d/${three}/answer`, [from, ['value', 'yes']])).toStartWith(
    `${address}showing=${three}`,
  )
})

test('of two common answers at once each question takes one', async () => {
  const ids = [await ask(), await ask(), await ask()]
  await Promise.all([send('yes', ids), send('no', [...ids].reverse())])
  for (const id of ids) expect((await stored(id))[0]).toBe('answered')
})

const DIFFERENT: Array<[string, Partial<Question>]> = [
  ['text', { question: 'Run the tests!' }],
  ['action', { detail: { ...NPM_TEST, action: 'npm test -- --force' } }],
  ['body', { detail: { ...NPM_TEST, actionBody: 'npm test\n' } }],
  ['tool', { detail: { ...NPM_TEST, toolName: 'Shell' } }],
  ['blocker', { detail: { ...NPM_TEST, blocker: 'CI is red' } }],
  ['context', { detail: { ...NPM_TEST, context: 'After the merge.' } }],
  ['session', { sessionId: 's2' }],
  ['machine', { machineId: 'm2' }],
  ['repository', { repoKey: 'other' }],
  ['being a test', { test: true }],
  ['type', { type: 'input' }],
]

test.each(DIFFERENT)('one yes is not for questions that differ in %s', async (_, changes) => {
  const ids = [await ask(), await ask(changes)]
  expect((await send('yes', ids)).status).toBe(422)
  for (const id of ids) expect((await stored(id))[0]).toBe('pending')
})

const CAREFUL: Array<[string, Partial<Question>]> = [
  ['is hard to undo', { detail: { action: 'rm -rf build' } }],
  ['was redacted', { detail: { action: 'deploy --key ▇▇▇ (API key)' } }],
  ['was cut', { detail: { action: 'npm test', cut: 'digest', missing: 40 } }],
  ['is a scope', { origin: 'scope' }],
  ['widens a scope', { detail: { action: 'edit', scopePath: 'src/a.ts' } }],
  ['names nothing', { detail: { permissionMode: 'default', toolName: 'Bash' } }],
  ['comes with more than it shows', { detail: { action: 'npm test', isPartOnly: true } }],
]

test.each(CAREFUL)('no common yes for what %s', async (_, changes) => {
  const ids = [await ask(changes), await ask(changes)]
  expect((await send('yes', ids)).status).toBe(422)
  for (const id of ids) expect((await stored(id))[0]).toBe('pending')
  expect((await send('no', ids)).status).toBe(303)
  for (const id of ids) expect((await stored(id))[1]).toBe('no')
})

test('nothing of others, nothing unknown, and none at all is refused', async () => {
  const mine = await ask()
  const theirs = await ask({ workspaceId: 'ws_other' })
  for (const ids of [[mine, theirs], [mine, 'q_nonsense' as QuestionId], []]) {
    expect((await send('no', ids)).status).toBe(422)
  }
  expect((await stored(mine))[0]).toBe('pending')
})
