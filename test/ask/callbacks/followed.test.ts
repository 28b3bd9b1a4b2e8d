import { expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { askOrFollow } from '../../../src/ask/asking/ask-user.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { callbackWorld, nextAttempt, verified } from '../../support/callback-world.ts'
import { settle } from '../../support/fake-clock.ts'

const HOUR = 3_600_000

test('the callback of a question that was followed for hours comes at its end, and is tried again from then on', async () => {
  await using world = await callbackWorld()
  const { flows, receiver, workspaceId } = world
  const { clock, deps } = flows
  await flows.device('laptop')
  const outside = { refusal: () => undefined }
  const call = { ...flows.call(), follows: true }
  const input = {
    question: 'Deploy?',
    callbackUrl: receiver.url('/hook', { status: 503 }, { status: 204 }),
  }
  const asking = askOrFollow({ ...deps, outside }, input, call)
  while (deps.waiters.count() === 0) await settle()
  await clock.advance(45_000)
  const { taskId } = (await asking) as { taskId: string }
  await clock.advance(7 * HOUR)
  await world.send()
  expect([receiver.received.length, await world.callbacks()]).toEqual([0, []])

  const questionId = taskId as QuestionId
  await answerQuestion(deps, { workspaceId, questionId, value: 'yes', source: 'inbox' })
  const answeredAt = clock.now()
  await world.send()
  const [waiting] = await world.callbacks()
  expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, lastStatus: 503 })
  expect(Number(waiting?.nextAt)).toBeGreaterThan(answeredAt)
  expect(Number(waiting?.nextAt)).toBeLessThanOrEqual(answeredAt + HOUR)

  await nextAttempt(world)
  const secret = await world.secret()
  const [first, second] = receiver.received
  if (!first || !second) throw new Error('it was not tried again')
  expect(verified(secret, second, clock.now())).toMatchObject({
    correlationId: taskId,
    value: 'yes',
    answeredAt: new Date(answeredAt).toISOString(),
  })
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'] as string)
  expect(await world.callbacks()).toMatchObject([{ state: 'delivered' }])
})
