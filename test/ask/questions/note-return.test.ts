import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { didNotComeBack } from '../../../src/ask/questions/model/came-back.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { waitForAnswer } from '../../../src/ask/waiting/wait-for-answer.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { until } from '../../support/until.ts'

const ASK = { question: 'Deploy now?', timeoutMs: 10_000 }

async function stored({ db, call }: FlowWorld, id: string) {
  const question = await findQuestion(db.read, call().caller.workspaceId, id as QuestionId)
  if (!question) throw new Error('no such question')
  return question
}

/** Asks, and lets the call end without an answer. */
async function askInVain(world: FlowWorld, more: object = {}): Promise<string> {
  await world.device('laptop')
  const asking = askUser(world.deps, { ...ASK, ...more }, world.call())
  await until(() => world.deliveries.length > 0)
  await until(() => world.deps.waiters.count() > 0)
  await world.clock.advance(11_000)
  const { correlationId } = await asking
  return correlationId
}

const answer = ({ deps, call }: FlowWorld, id: string) =>
  answerQuestion(deps, {
    workspaceId: call().caller.workspaceId,
    questionId: id as QuestionId,
    value: 'yes',
  })

test('an answer that a call waits for is told; one after its wait is not, until it is asked for', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const asking = askUser(world.deps, ASK, world.call())
  await until(() => world.deps.waiters.count() > 0 && world.deliveries.length > 0)
  const [{ message } = { message: undefined }] = world.deliveries
  const first = message?.tag ?? ''
  await answer(world, first)
  await asking
  expect(didNotComeBack(await stored(world, first))).toBe(false)

  const id = await askInVain(world)
  await answer(world, id)
  expect(didNotComeBack(await stored(world, id))).toBe(true)
  const result = await waitForAnswer(world.deps, { correlationId: id }, world.call())
  expect(result).toMatchObject({ status: 'answered', value: 'yes' })
  expect(didNotComeBack(await stored(world, id))).toBe(false)
})

test('an answer that a second wait catches is told; one after that wait hung up is not', async () => {
  await using world = await flowWorld()
  const id = await askInVain(world)
  const line = new AbortController()
  const gone = waitForAnswer(
    world.deps,
    { correlationId: id, timeoutMs: 30_000 },
    world.call({ signal: line.signal }),
  )
  await until(async () => (await stored(world, id)).detail.waitsUntil !== undefined)
  expect(didNotComeBack({ ...(await stored(world, id)), endedAt: world.clock.now() })).toBe(false)
  line.abort()
  await gone
  await world.clock.advance(1_000)
  expect(didNotComeBack({ ...(await stored(world, id)), endedAt: world.clock.now() })).toBe(true)

  const again = waitForAnswer(world.deps, { correlationId: id, timeoutMs: 30_000 }, world.call())
  await until(() => world.deps.waiters.count() > 0)
  await until(async () => ((await stored(world, id)).detail.waitsUntil ?? 0) > world.clock.now())
  await answer(world, id)
  expect(await again).toMatchObject({ value: 'yes' })
  expect(didNotComeBack(await stored(world, id))).toBe(false)
})

test('a call that did not wait has not come back, until it does; nobody at all is said after the end', async () => {
  await using world = await flowWorld()
  await world.device('laptop')
  const { correlationId } = await askUser(world.deps, { ...ASK, wait: false }, world.call())
  await answer(world, correlationId)
  expect(didNotComeBack(await stored(world, correlationId))).toBe(true)
  await waitForAnswer(world.deps, { correlationId }, world.call())
  expect(didNotComeBack(await stored(world, correlationId))).toBe(false)

  const id = await askInVain(world)
  await world.clock.advance(11 * 60_000)
  expect(didNotComeBack(await stored(world, id))).toBe(true)
  const late = await waitForAnswer(world.deps, { correlationId: id }, world.call())
  expect(late).toMatchObject({ status: 'expired' })
  expect(didNotComeBack(await stored(world, id))).toBe(false)
})

test('a retry of the call takes the answer along', async () => {
  await using world = await flowWorld()
  const id = await askInVain(world, { requestId: 'r' })
  await answer(world, id)
  expect(didNotComeBack(await stored(world, id))).toBe(true)
  const again = await askUser(world.deps, { ...ASK, requestId: 'r' }, world.call())
  expect(again).toMatchObject({ correlationId: id, value: 'yes' })
  expect(didNotComeBack(await stored(world, id))).toBe(false)
})

test('a call that hangs up while its retry waits leaves the question to the retry', async () => {
  await using world = await flowWorld()
  const { deps, call } = world
  await world.device('laptop')
  const [line, other] = [new AbortController(), new AbortController()]
  const asking = { ...ASK, requestId: 'r' }
  const gone = askUser(deps, asking, call({ signal: line.signal }))
  await until(() => deps.waiters.count() === 1)
  const retry = askUser(deps, asking, call({ signal: other.signal }))
  await until(() => deps.waiters.count() === 2)
  line.abort()
  const { correlationId: id } = await gone
  expect((await stored(world, id)).abandonedAt).toBeUndefined()
  other.abort()
  await retry
  expect((await stored(world, id)).abandonedAt).toBe(world.clock.now())
})
