import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { AskUserInput } from '../../../src/ask/wire/ask-fields.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { settle } from '../../support/fake-clock.ts'
import { type FlowWorld, flowWorld, outcomesIn } from '../../support/flow-world.ts'
import { readInbox } from '../../support/read-inbox.ts'

const ASK = { question: 'Deploy now?', agentName: 'Claude Code - shop' } satisfies AskUserInput

async function theOpenOne({ deps, call }: FlowWorld) {
  const [question] = await readInbox(deps, call().caller.workspaceId)
  if (!question) throw new Error('the inbox is empty')
  return question
}

// spec: QS-STATE-open, QS-STATE-answer, QS-WHAT-5
test('the answer reaches the waiting call, with its note and where it was given', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const waiting = call()
  const asking = askUser(deps, ASK, waiting)
  await settle()
  const { id, workspaceId } = await theOpenOne(world)
  const outcome = await answerQuestion(deps, {
    workspaceId,
    questionId: id,
    value: 'yes',
    note: 'after lunch',
    source: 'decide_page',
    by: 'person_1',
  })
  expect(outcome.won).toBe(true)
  expect(await asking).toMatchObject({
    correlationId: id,
    question: 'Deploy now?',
    type: 'confirm',
    status: 'answered',
    answered: true,
    value: 'yes',
    note: 'after lunch',
    answerSource: 'decide_page',
    delivery: { web: 1, mobile: 0 },
  })
  const sentences = ['Waiting for an answer', 'Sent to 1 device, waiting for an answer']
  expect(waiting.updates.map(({ message }) => message)).toEqual(sentences)
  expect(deps.waiters.count()).toBe(0)
  await settle()
  expect(outcomesIn(world)).toEqual(['Answered: yes'])
})

// spec: QS-STATES, QS-LIM-timeoutMs, QS-STATE-timeout, QS-ERR-3
test('a call that ran out of time leaves the question answerable, and says that it is not a no', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const asking = askUser(deps, { ...ASK, timeoutMs: 30_000 }, call())
  await settle()
  await clock.advance(30_000)
  const result = await asking
  expect(result).toMatchObject({
    status: 'pending',
    answered: false,
    timedOut: true,
    nextAction: 'wait_for_answer',
    handoffAction: 'cancel_then_ask_in_current_client',
    expiresInSeconds: 570,
    answerUrl: `http://localhost:8484/d/${result.correlationId}`,
  })
  const waited = waitForAnswer(deps, { correlationId: result.correlationId }, call())
  await settle()
  const { workspaceId, id } = await theOpenOne(world)
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'no' })
  expect(await waited).toMatchObject({ status: 'answered', answered: true, value: 'no' })
})

// spec: QS-RULE-4
test('with no device the call returns at once and names what to connect', async () => {
  await using world = await flowWorld()
  const result = await askUser(world.deps, ASK, world.call())
  expect(result).toMatchObject({
    status: 'pending',
    noDevices: true,
    nextAction: 'ask_in_current_client',
    handoffAction: 'cancel_then_ask_in_current_client',
    delivery: { web: 0, mobile: 0 },
  })
  expect(result.warning).toContain('must connect one')
})

test('when every push is refused for good the call does not wait', async () => {
  await using world = await flowWorld()
  await world.device('old')
  world.receipts.set('old', async () => ({ outcome: 'gone', status: 410, reason: 'gone' }))
  expect(await askUser(world.deps, ASK, world.call())).toMatchObject({ noDevices: true })
})

test('a push service that hangs delays nobody: the answer arrives while delivery is pending', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('slow')
  const { promise, resolve } = Promise.withResolvers<void>()
  world.receipts.set('slow', async () => {
    await promise
    return { outcome: 'accepted', status: 201 }
  })
  const asking = askUser(deps, ASK, call())
  await settle()
  const { id, workspaceId } = await theOpenOne(world)
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes' })
  expect(await asking).toMatchObject({
    value: 'yes',
    delivery: { web: 0, mobile: 0, pending: true },
  })
  resolve()
})

// spec: QS-RULE-3
test('wait:false returns at once with a pending id and says nothing of an answer', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const result = await askUser(world.deps, { ...ASK, wait: false }, world.call())
  expect(result).toMatchObject({ status: 'pending', nextAction: 'wait_for_answer' })
  expect('answered' in result).toBe(false)
})

test('wait:false says nothing of an answer either when nobody can be told or it is held', async () => {
  await using world = await flowWorld()
  const nobody = await askUser(world.deps, { ...ASK, wait: false }, world.call())
  expect(nobody.noDevices).toBe(true)
  expect('answered' in nobody).toBe(false)
  const held = await askUser(world.deps, { ...ASK, wait: false, env: 'test' }, world.call())
  expect(held.held).toBe('test_traffic')
  expect('answered' in held).toBe(false)
})

// spec: QS-RULE-6
test('a hundred calls with one toolUseId make one question and one push a device', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  await world.device('phone', { kind: 'phone' })
  const asks = Array.from({ length: 100 }, () =>
    askUser(deps, { ...ASK, sessionId: 's', toolUseId: 'tool-1' }, call()),
  )
  await settle()
  await settle()
  const { id, workspaceId } = await theOpenOne(world)
  expect(await readInbox(deps, workspaceId)).toHaveLength(1)
  expect(world.deliveries).toHaveLength(2)
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes' })
  const results = await Promise.all(asks)
  expect(new Set(results.map((result) => result.correlationId))).toEqual(new Set([id]))
  expect(results.every((result) => result.value === 'yes')).toBe(true)
})

test('a retry is told what the first call was: how many were reached, or that nobody was', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  const alone = { ...ASK, requestId: 'alone' }
  await askUser(deps, alone, call())
  expect(await askUser(deps, alone, call())).toMatchObject({ noDevices: true })

  await world.device('laptop')
  const reached = { ...ASK, requestId: 'reached', wait: false }
  await askUser(deps, reached, call())
  await settle()
  await deps.db.write(async () => {})
  expect(await askUser(deps, reached, call())).toMatchObject({ delivery: { web: 1, mobile: 0 } })

  await world.device('old')
  world.receipts.set('laptop', async () => ({ outcome: 'gone', status: 410, reason: 'gone' }))
  world.receipts.set('old', async () => ({ outcome: 'refused', status: 400, reason: 'no' }))
  const refused = { ...ASK, requestId: 'refused' }
  expect(await askUser(deps, refused, call())).toMatchObject({ noDevices: true })
  await settle()
  expect(await askUser(deps, refused, call())).toMatchObject({ noDevices: true })
})

test('a hook says until when it waits: told back to its retries, never a longer call', async () => {
  await using world = await flowWorld()
  const { deps, clock, call } = world
  await world.device('laptop')
  const now = clock.now()
  const iso = (ms: number) => new Date(now + ms).toISOString()
  const hook = { ...ASK, sessionId: 's', toolUseId: 't', timeoutMs: 5_000 }
  const asking = askUser(deps, { ...hook, waitEndsAt: iso(120_000) }, call())
  await settle()
  await clock.advance(5_000)
  const first = await asking
  expect(first).toMatchObject({ timedOut: true, waitEndsAt: iso(120_000) })
  const again = askUser(deps, { ...hook, waitEndsAt: iso(999_000) }, call())
  await settle()
  await clock.advance(5_000)
  expect(await again).toMatchObject({ timedOut: true, waitEndsAt: iso(120_000) })

  const off = { ...ASK, wait: false, waitEndsAt: iso(24 * 60 * 60_000) }
  expect((await askUser(deps, off, call())).waitEndsAt).toBe(iso(10_000 + 600_000))
})

test('another question under a key that is taken keeps the first, says so and never waits', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const first = await askUser(world.deps, { ...ASK, requestId: 'r', wait: false }, world.call())
  const other = { question: 'Something else?', requestId: 'r', timeoutMs: 55_000 }
  const second = await askUser(world.deps, other, world.call())
  expect(second).toMatchObject({ correlationId: first.correlationId, question: 'Deploy now?' })
  expect(second).toMatchObject({ status: 'pending', nextAction: 'ask_in_current_client' })
  expect(second).not.toHaveProperty('timedOut')
  expect(second.hint).toContain('different: question')
  expect(second.waitEndsAt).toBe(first.waitEndsAt as string)
})

test('the answer to a question is never given to another call with its id', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const first = { question: 'List the files?', requestId: 'r' }
  await askUser(deps, { ...first, wait: false }, call())
  const { id, workspaceId } = await theOpenOne(world)
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes', note: 'Only here.' })
  const other = await askUser(deps, { ...first, question: 'Publish the package?' }, call())
  expect(other).toMatchObject({ correlationId: id, question: 'List the files?' })
  expect(other).not.toHaveProperty('value')
  expect(other).not.toHaveProperty('note')
  expect(other.hint).toContain('different: question')
  expect(await askUser(deps, first, call())).toMatchObject({ value: 'yes', note: 'Only here.' })
})

test('a repeat after the caller hung up joins the question instead of asking twice', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const line = new AbortController()
  const lost = askUser(deps, ASK, call({ signal: line.signal }))
  await settle()
  line.abort()
  const { correlationId } = await lost
  const again = askUser(deps, ASK, call())
  await settle()
  const { id, workspaceId } = await theOpenOne(world)
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes' })
  expect(await again).toMatchObject({ correlationId, value: 'yes' })
  expect(world.deliveries.filter(({ message }) => message.kind === 'question')).toHaveLength(1)
})

test('however many calls ask the same at once, hang up and repeat, it is one question', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const line = new AbortController()
  const lost = [1, 2].map(() => askUser(deps, ASK, call({ signal: line.signal })))
  await settle()
  line.abort()
  const before = new Set((await Promise.all(lost)).map(({ correlationId }) => correlationId))
  const again = [1, 2].map(() => askUser(deps, { ...ASK, timeoutMs: 1_000 }, call()))
  await settle()
  await world.clock.advance(1_000)
  const after = new Set((await Promise.all(again)).map(({ correlationId }) => correlationId))
  expect(before.size).toBe(1)
  expect(after).toEqual(before)
  expect(world.deliveries.filter(({ message }) => message.kind === 'question')).toHaveLength(1)
})

test('two live calls without a key that ask the same are one question, until it has ended', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const first = await askUser(deps, { ...ASK, wait: false }, call())
  const second = await askUser(deps, { ...ASK, wait: false }, call())
  expect(second.correlationId).toBe(first.correlationId)
  const { id, workspaceId } = await theOpenOne(world)
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes' })
  const third = await askUser(deps, { ...ASK, wait: false }, call())
  expect(third).toMatchObject({ status: 'pending' })
  expect(third.correlationId).not.toBe(first.correlationId)
})

// spec: QS-WHAT-7
for (const [how, input, caller] of [
  ['env on the call', { env: 'test' }, {}],
  ['the connection’s header', {}, { testConnection: true }],
  ['a test token', {}, { test: true }],
] as const) {
  test(`test traffic by ${how} is recorded, delivered to nobody, and answered as sandbox`, async () => {
    await using world = await flowWorld()
    const { deps, call } = world
    await world.device('laptop')
    const result = await askUser(deps, { ...ASK, ...input }, call(caller))
    expect(result).toMatchObject({ status: 'pending', held: 'test_traffic', env: 'test' })
    expect(world.deliveries).toEqual([])
    const { workspaceId } = call().caller
    expect(await readInbox(deps, workspaceId)).toEqual([])
    const questionId = result.correlationId as QuestionId
    await answerQuestion(deps, { workspaceId, questionId, value: 'yes', source: 'dashboard' })
    const { correlationId } = result
    expect(await waitForAnswer(deps, { correlationId }, call())).toMatchObject({
      value: 'yes',
      answerSource: 'sandbox',
      env: 'test',
    })
  })
}

// spec: QS-RULE-5
test('a permission ask with neither toolName nor sessionId is held as unattributed', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const held = await askUser(world.deps, { ...ASK, toolTarget: 'src/a.ts' }, world.call())
  expect(held).toMatchObject({ held: 'unattributed', nextAction: 'ask_in_current_client' })
  expect(world.deliveries).toEqual([])
  const result = await askUser(
    world.deps,
    { ...ASK, toolTarget: 'src/a.ts', toolName: 'Edit', wait: false },
    world.call(),
  )
  expect(result.held).toBeUndefined()
})

test('several answers with a comma in them stand on a line each, and the result says so', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const options = ['Yes, always', 'No', 'Later'].map((label) => ({ label }))
  const questions = [{ question: 'Which?', multiSelect: true, options }]
  const asking = askUser(deps, { ...ASK, questions }, call())
  await settle()
  const { id: questionId, workspaceId } = await theOpenOne(world)
  await answerQuestion(deps, { workspaceId, questionId, value: ['Yes, always', 'Later'] })
  expect(await asking).toMatchObject({ value: 'Yes, always\nLater', hint: expect.any(String) })
  const waited = await waitForAnswer(deps, { correlationId: questionId }, call())
  expect(waited.hint).toBe('Several options were chosen: each line of value is one.')
})
