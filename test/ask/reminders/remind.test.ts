import { expect, test } from 'bun:test'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askOrFollow, askUser } from '../../../src/ask/asking/ask-user.ts'
import { readReceipts } from '../../../src/ask/delivery/read-receipts.ts'
import { addRule, setPolicy } from '../../../src/ask/policy/change-policy.ts'
import type { PolicyChanges } from '../../../src/ask/policy/model/policy.ts'
import { putSnooze } from '../../../src/ask/questions/model/snooze-store.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { remind } from '../../../src/ask/reminders/remind.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { flowWorld } from '../../support/flow-world.ts'
import { until } from '../../support/until.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Ann and Ben with a device each, who are asked a question that its agent follows. */
async function house(policy: PolicyChanges = { remindMs: HOUR }) {
  const world = await flowWorld()
  const { db, clock, deps, deliveries } = world
  const { workspaceId } = world.call().caller
  await db.write(async (tx) => {
    await homeWorkspace(tx, workspaceId, 1)
    for (const id of ['ann', 'ben']) {
      const email = `${id}@example.com`
      await insertPerson(tx, { id, name: id, email, workspaceId, role: 'member' }, 1)
    }
  })
  for (const personId of ['ann', 'ben']) await world.device(personId, { personId })
  await setPolicy(deps, workspaceId, policy)
  /** Asks, is followed 45 s later, and resolves to the id. */
  const follow = async (more: object = {}) => {
    const call = { ...world.call(), follows: true }
    const asking = askOrFollow(deps, { question: 'Deploy?', ...more }, call)
    while (deps.waiters.count() === 0) await settle()
    await clock.advance(45_000)
    const { taskId } = (await asking) as { taskId: string }
    expect(taskId).toStartWith('q_')
    deliveries.length = 0
    return taskId as QuestionId
  }
  const reminded = () =>
    deliveries.filter(({ message }) => message.reminder).map(({ to }) => to.label)
  const pass = async (ms: number) => {
    await clock.advance(ms)
    await remind(deps)
    await settle()
  }
  const answer = (questionId: QuestionId) =>
    answerQuestion(deps, { workspaceId, questionId, value: 'yes', source: 'inbox' })
  return {
    ...{ world, deps, db, clock, deliveries, workspaceId, follow, reminded, pass, answer },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('a followed question that nobody answers is recalled three times to everybody who was asked, and never again', async () => {
  await using home = await house()
  const { follow, pass, reminded } = home
  await follow()
  await pass(HOUR - 1_000)
  expect(reminded()).toEqual([])
  await pass(1_000)
  await until(() => reminded().length === 2)
  expect(reminded().sort()).toEqual(['ann', 'ben'])
  const [{ message }] = home.deliveries as [(typeof home.deliveries)[number]]
  expect(message).toMatchObject({ kind: 'question', reminder: true })
  expect(message.title).toStartWith('Still open: ')
  expect(message.quiet).toBeUndefined()
  await pass(0)
  await pass(HOUR)
  await pass(HOUR)
  await until(() => reminded().length === 6)
  for (let hour = 0; hour < 4; hour++) await pass(HOUR)
  expect(reminded()).toHaveLength(6)
})

test('what the agent is told of deliveries, and receipts, are those of the first message', async () => {
  await using home = await house()
  const id = await home.follow()
  const { deps, workspaceId, world } = home
  const before = await readReceipts(home, workspaceId, id)
  await home.pass(HOUR)
  await until(() => home.reminded().length === 2)
  await settle()
  expect(await readReceipts(home, workspaceId, id)).toEqual(before)
  await home.answer(id)
  expect(await waitForAnswer(deps, { correlationId: id }, world.call())).toMatchObject({
    value: 'yes',
  })
})

test('a followed question that nobody answers is not recalled once it has ended', async () => {
  await using home = await house()
  const id = await home.follow()
  await home.answer(id)
  await home.pass(HOUR)
  await home.pass(HOUR)
  expect(home.reminded()).toEqual([])
})

test('a followed question that nobody answers is not recalled to who put it aside, until it is back', async () => {
  await using home = await house()
  const questionId = await home.follow()
  const back = home.clock.now() + 90 * MINUTE
  await home.db.write((tx) => putSnooze(tx, { personId: 'ann', questionId, until: back }))
  await home.pass(HOUR)
  await until(() => home.reminded().length === 1)
  expect(home.reminded()).toEqual(['ben'])
  await home.pass(HOUR)
  await until(() => home.reminded().length === 3)
  expect(home.reminded().slice(1).sort()).toEqual(['ann', 'ben'])
})

test('quiet hours hold a reminder back, and spend none', async () => {
  // It is noon; the question is followed until eight.
  const quietHours = { from: '12:30', to: '14:00', zone: 'UTC' }
  await using home = await house({ remindMs: HOUR, quietHours })
  await home.follow()
  for (let minutes = 0; minutes < 115; minutes += 5) await home.pass(5 * MINUTE)
  expect(home.reminded()).toEqual([])
  for (let minutes = 0; minutes < 10; minutes += 5) await home.pass(5 * MINUTE)
  await until(() => home.reminded().length === 2)
  await home.pass(HOUR)
  await home.pass(HOUR)
  await home.pass(HOUR)
  await until(() => home.reminded().length === 6)
})

test('two processes recall it once', async () => {
  await using home = await house()
  await home.follow()
  await home.clock.advance(HOUR)
  const both = await Promise.all([remind(home.deps), remind(home.deps)])
  expect(both.sort()).toEqual([0, 1])
  await until(() => home.reminded().length === 2)
})

test.each([
  ['the policy has reminders off', { remindMs: 0 }],
  ['it ends before the first', { remindMs: 9 * HOUR }],
])('a followed question that nobody answers is not recalled where %s', async (_, policy) => {
  await using home = await house(policy)
  await home.follow()
  for (let hour = 0; hour < 8; hour++) await home.pass(HOUR)
  expect(home.reminded()).toEqual([])
})

test('a question of ten minutes is never recalled', async () => {
  await using home = await house({ remindMs: MINUTE })
  const { deps, world } = home
  await askUser(deps, { question: 'Deploy?', wait: false }, world.call())
  for (let minute = 0; minute < 9; minute++) await home.pass(MINUTE)
  expect(home.reminded()).toEqual([])
})

test('a question whose program gives it hours is followed from the start, unless a rule decides without an answer', async () => {
  await using home = await house()
  const { deps, db, pass, reminded, world, workspaceId } = home
  const ask = (more: object) =>
    askUser(deps, { question: 'Deploy?', wait: false, lifeMs: 9 * HOUR, ...more }, world.call())
  const { correlationId: id, expiresInSeconds } = await ask({})
  expect(expiresInSeconds).toBe((8 * HOUR) / 1_000)
  await pass(HOUR)
  await until(() => reminded().length === 2)
  const question = await findQuestion(db.read, workspaceId, id as QuestionId)
  expect(question?.detail.followedAt).toBe(question?.createdAt as number)
  await addRule(deps, workspaceId, { match: { toolName: 'deploy' }, set: { onTimeout: 'deny' } })
  expect(await ask({ toolName: 'deploy', sessionId: 's' })).toMatchObject({ expiresInSeconds: 600 })
})
