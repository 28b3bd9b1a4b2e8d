import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { stopAgent } from '../../../src/ask/answering/stop-agent.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld, outcomesIn } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const ASK = { question: 'Deploy now?', agentName: 'Claude Code - shop' } satisfies AskUserInput

const ours = (call: FlowWorld['call']) => ({ workspaceId: call().caller.workspaceId })

async function theOpenOne({ deps, call }: FlowWorld) {
  const [question] = await readInbox(deps, call().caller.workspaceId)
  if (!question) throw new Error('the inbox is empty')
  return question
}

// spec: QS-LIM-window, QS-STATE-expire, QS-ERR-2
test('after ten minutes it is expired, swept or not, and a late answer is kept but does not win', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const { correlationId } = await askUser(deps, { ...ASK, wait: false }, call())
  await clock.advance(10 * 60_000 - 1)
  await clock.advance(1)
  expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({ status: 'expired' })
  const { workspaceId } = call().caller
  const questionId = correlationId as QuestionId
  const late = await answerQuestion(deps, { workspaceId, questionId, value: 'yes' })
  expect(late.won).toBe(false)
  expect(await expireQuestions(deps)).toBe(0)
  await settle()
  expect(outcomesIn(world)).toEqual(['Expired without an answer'])
})

test('a question that nobody reads expires, too, and once', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  await askUser(deps, { ...ASK, wait: false }, call())
  await clock.advance(10 * 60_000)
  expect(await expireQuestions(deps)).toBe(1)
  expect(await expireQuestions(deps)).toBe(0)
  await settle()
  expect(outcomesIn(world)).toEqual(['Expired without an answer'])
})

test('what was said to have expired stays so when the clock is set back before it is swept', async () => {
  const READERS: Array<(world: FlowWorld, id: QuestionId) => Promise<unknown>> = [
    ({ deps, call }, correlationId) => waitForAnswer(deps, { correlationId }, call()),
    ({ deps, call }, correlationId) => cancelQuestion(deps, { correlationId }, call()),
    ({ deps, call }) => askUser(deps, { ...ASK, requestId: 'r1' }, call()),
    ({ deps, call }, questionId) =>
      answerQuestion(deps, { ...ours(call), questionId, value: 'yes' }),
    ({ deps, call }, questionId) => stopAgent(deps, { ...ours(call), questionId }),
  ]
  for (const read of READERS) {
    await using world = await flowWorld()
    const { deps, clock, call } = world
    await world.device('laptop')
    const result = await askUser(deps, { ...ASK, requestId: 'r1', wait: false }, call())
    const { correlationId } = result
    const questionId = correlationId as QuestionId
    await clock.advance(10 * 60_000)
    await read(world, questionId)
    await clock.advance(-2_000)
    expect([String(read), await waitForAnswer(deps, { correlationId }, call())]).toEqual([
      String(read),
      expect.objectContaining({ status: 'expired', answered: false }),
    ])
    const late = await answerQuestion(deps, { ...ours(call), questionId, value: 'yes' })
    expect([String(read), late.won]).toEqual([String(read), false])
  }
})

test('an agent that is told of an expiry cannot ask before it counts towards a pause', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const approval = { ...ASK, sessionId: 's1', toolName: 'Bash', wait: false }
  for (let n = 0; n < 3; n++) {
    const toolUseId = `t${n}`
    const { correlationId } = await askUser(deps, { ...approval, toolUseId }, call())
    await clock.advance(10 * 60_000)
    expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({
      status: 'expired',
    })
  }
  expect(await askUser(deps, { ...approval, toolUseId: 'next' }, call())).toMatchObject({
    paused: true,
  })
})

test('a wait that outlives the window ends with it', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const { correlationId } = await askUser(deps, { ...ASK, wait: false }, call())
  await clock.advance(10 * 60_000 - 5_000)
  const waited = waitForAnswer(deps, { correlationId, timeoutMs: 55_000 }, call())
  await settle()
  await clock.advance(5_000)
  expect(await waited).toMatchObject({ status: 'expired', answered: false })
})

// spec: QS-STATE-cancel, QS-ERR-2
test('cancel wakes the waiting call; cancelling what was answered says so', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const asking = askUser(deps, ASK, call())
  await settle()
  const { id, workspaceId } = await theOpenOne(world)
  const input = { correlationId: id, reason: 'not needed' }
  expect(await cancelQuestion(deps, input, call())).toMatchObject({
    cancelled: true,
    status: 'cancelled',
  })
  expect(await asking).toMatchObject({ status: 'cancelled', answered: false })

  const second = await askUser(deps, { ...ASK, wait: false }, call())
  const questionId = second.correlationId as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'no' })
  expect(await cancelQuestion(deps, { correlationId: questionId }, call())).toMatchObject({
    cancelled: false,
    status: 'answered',
    value: 'no',
  })
})

test('"Stop the agent" ends the call with the order to stop', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const asking = askUser(deps, ASK, call())
  await settle()
  const { id, workspaceId } = await theOpenOne(world)
  await stopAgent(deps, { workspaceId, questionId: id, by: 'person_1' })
  expect(await asking).toMatchObject({ status: 'stopped', handoffAction: 'stop', answered: false })
})

// spec: QS-ERR-2
test('an unknown id and one of another workspace are missing alike', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const { correlationId } = await askUser(deps, { ...ASK, wait: false }, call())
  const stranger = { workspaceId: 'ws_other' } as const
  for (const [id, caller] of [
    ['q_nothing', {}],
    [correlationId, stranger],
  ] as const) {
    const input = { correlationId: id }
    expect(await waitForAnswer(deps, input, call(caller))).toMatchObject({ status: 'missing' })
    expect(await cancelQuestion(deps, input, call(caller))).toMatchObject({ status: 'missing' })
  }
})

test('closing the server ends waits as pending and the question lives on', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const asking = askUser(deps, ASK, call())
  await settle()
  deps.waiters.close()
  const result = await asking
  expect(result).toMatchObject({ status: 'pending', nextAction: 'wait_for_answer' })
  expect(result.handoffAction).toBeUndefined()
})
