import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { callbackWorld, nextAttempt, verified } from '../../support/callback-world.ts'

const HOUR = 3_600_000

test('[QS-EVENT-1, QS-EVENT-2, QS-AUTH-3] an answer is posted, signed so that the published library and a calculation by hand agree', async () => {
  await using world = await callbackWorld()
  const { clock } = world.flows
  const id = await world.answered(world.receiver.url('/hook'))
  await world.send()
  const [got] = world.receiver.received
  if (!got) throw new Error('nothing arrived')
  const [callback] = await world.callbacks()
  const expected = {
    id: String(callback?.id),
    type: 'question.answered',
    correlationId: String(id),
    question: 'Deploy?',
    questionType: 'confirm',
    answered: true,
    value: 'yes',
    answeredAt: new Date(clock.now()).toISOString(),
  }
  const secret = await world.secret()
  expect(verified(secret, got, clock.now())).toEqual(expected)
  expect(got.headers['content-type']).toBe('application/json')
  expect(got.headers['webhook-id']).toBe(expected.id)

  const [, time, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
    String(got.headers['x-service-signature']),
  ) as unknown as string[]
  expect(time).toBe(String(clock.now() / 1_000))
  expect(hex).toBe(createHmac('sha256', secret).update(`${time}.${got.body}`).digest('hex'))
  expect(callback).toMatchObject({ state: 'delivered', lastStatus: 204, attempts: 1 })
  await world.send()
  expect(world.receiver.received).toHaveLength(1)
})

test('note, source and test traffic are part of it; test traffic calls back as well', async () => {
  await using world = await callbackWorld()
  await world.answered(world.receiver.url('/hook'), { env: 'test' })
  await world.send()
  const body = JSON.parse(world.receiver.received[0]?.body ?? '')
  expect(body).toMatchObject({ env: 'test', answerSource: 'sandbox' })
  expect(await world.callbacks()).toMatchObject([{ test: true }])
})

test('[QS-EVENT-4] only an answer calls back: not a withdrawal, not an end without one', async () => {
  await using world = await callbackWorld()
  const { flows, receiver } = world
  const callbackUrl = receiver.url('/hook')
  const deps = { ...flows.deps, outside: { refusal: () => undefined } }
  const ask = { question: 'Deploy?', wait: false, callbackUrl }
  const withdrawn = await askUser(deps, ask, flows.call())
  await cancelQuestion(flows.deps, { correlationId: withdrawn.correlationId }, flows.call())
  await askUser(deps, ask, flows.call())
  await flows.clock.advance(HOUR)
  await expireQuestions(flows.deps)
  await world.send()
  expect(await world.callbacks()).toEqual([])
  expect(receiver.received).toEqual([])
})

test('[QS-EVENT-3] each answer of a receiver has its own outcome', async () => {
  await using world = await callbackWorld()
  const { receiver } = world
  const table = {
    '/ok': [{ status: 200, body: 'thanks' }],
    '/created': [{ status: 201 }],
    '/flood': ['flood'],
    '/gone': [{ status: 410 }],
    '/moved': [{ status: 307, headers: { location: receiver.url('/elsewhere') } }],
    '/found': [{ status: 302, headers: { location: receiver.url('/elsewhere') } }],
    '/bad': [{ status: 400 }],
    '/missing': [{ status: 404 }],
    '/busy': [{ status: 429, headers: { 'retry-after': '90' } }],
    '/trouble': [{ status: 500 }],
    '/hang': ['hang'],
    '/reset': ['reset'],
  } as const
  for (const [path, behaviour] of Object.entries(table)) {
    await world.answered(receiver.url(path, ...behaviour))
  }
  await world.send()
  const now = world.flows.clock.now()
  const states = (await world.callbacks()).map((callback) => [
    new URL(callback.url).pathname,
    `${callback.state} ${callback.lastStatus}${callback.state === 'waiting' ? ` +${callback.nextAt - now}` : ''}`,
  ])
  expect(Object.fromEntries(states)).toEqual({
    '/ok': 'delivered 200',
    '/created': 'delivered 201',
    '/flood': 'delivered 200',
    '/gone': 'gone 410',
    '/moved': 'waiting 307 +5000',
    '/found': 'waiting 302 +5000',
    '/bad': 'waiting 400 +5000',
    '/missing': 'waiting 404 +5000',
    '/busy': 'waiting 429 +90000',
    '/trouble': 'waiting 500 +5000',
    '/hang': 'waiting 0 +5000',
    '/reset': 'waiting 0 +5000',
  })
  expect(receiver.at('/elsewhere')).toEqual([])
  expect(new Set(world.requested.map((request) => request.timeoutMs))).toEqual(new Set([10_000]))
})

test('every attempt sends the same id and the same bytes, signed for its own time', async () => {
  await using world = await callbackWorld()
  await world.answered(
    world.receiver.url('/hook', { status: 503 }, { status: 500 }, { status: 204 }),
  )
  const secret = await world.secret()
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    await nextAttempt(world)
    times.push(world.flows.clock.now())
  }
  const { received } = world.receiver
  expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 5_000, 20_000])
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const [i, one] of received.entries()) verified(secret, one, times[i] ?? 0)
  expect(await world.callbacks()).toMatchObject([
    { state: 'delivered', log: [{ status: 503 }, { status: 500 }, { status: 204, error: null }] },
  ])
})

test('a receiver that stays down is given up after a day, and not before its last attempts', async () => {
  await using world = await callbackWorld()
  const start = world.flows.clock.now()
  await world.answered(world.receiver.url('/hook', { status: 500 }))
  for (let i = 0; i < 30 && (await world.callbacks())[0]?.state === 'waiting'; i++) {
    await nextAttempt(world)
  }
  const [callback] = await world.callbacks()
  expect(callback?.state).toBe('lapsed')
  const hours = ((callback?.endedAt ?? 0) - start) / HOUR
  expect(hours).toBeGreaterThan(18)
  expect(hours).toBeLessThan(24)
  expect(world.receiver.received).toHaveLength(callback?.log.length ?? -1)
})

test('a server that was off for more than a day says so instead of sending what is stale', async () => {
  await using world = await callbackWorld()
  await world.answered(world.receiver.url('/hook'))
  await world.flows.clock.advance(25 * HOUR)
  await world.send()
  expect(await world.callbacks()).toMatchObject([{ state: 'lapsed', attempts: 0, log: [] }])
  expect(world.receiver.received).toEqual([])
})
