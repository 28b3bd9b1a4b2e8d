import { expect, setSystemTime, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { askUser } from '../../src/flows/ask-user.ts'
import { rotateCallbackSecret } from '../../src/flows/callback-secret.ts'
import { cancelQuestion } from '../../src/flows/cancel-question.ts'
import { CLAIM_MS } from '../../src/flows/deliver-callbacks.ts'
import { expireQuestions } from '../../src/flows/expire-questions.ts'
import { redeliverCallback } from '../../src/flows/redeliver-callback.ts'
import { createGuardedFetch } from '../../src/kernel/guarded-fetch.ts'
import { callbackReceiver, type Received } from '../support/callback-receiver.ts'
import { type CallbackWorld, callbackWorld } from '../support/callback-world.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { until } from '../support/post-office.ts'

const HOUR = 3_600_000

/** What the published library makes of a request that arrived at `now`. */
function verified(secret: string, { body, headers }: Received, now: number): unknown {
  setSystemTime(now)
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    setSystemTime()
  }
}

/** Moves on to the next attempt that is due, and makes it. */
async function nextAttempt(world: CallbackWorld) {
  const [callback] = await world.callbacks()
  await world.flows.clock.advance((callback?.nextAt ?? 0) - world.flows.clock.now())
  await world.send()
}

test('[QS-EVENT-1, QS-EVENT-2, QS-AUTH-3] an answer is posted, signed so that the published library and a calculation by hand agree', async () => {
  await using world = await callbackWorld()
  const { clock } = world.flows
  const id = await world.answered(world.receiver.url('/hook'))
  await world.send()
  const [got] = world.receiver.received
  if (!got) throw new Error('nothing arrived')
  const [callback] = await world.callbacks()
  const said = {
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
  expect(verified(secret, got, clock.now())).toEqual(said)
  expect(got.headers['content-type']).toBe('application/json')
  expect(got.headers['webhook-id']).toBe(said.id)

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
  const deps = { ...flows.deps, refusal: () => undefined }
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
  const found = (await world.callbacks()).map((callback) => [
    new URL(callback.url).pathname,
    `${callback.state} ${callback.lastStatus}${callback.state === 'waiting' ? ` +${callback.nextAt - now}` : ''}`,
  ])
  expect(Object.fromEntries(found)).toEqual({
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

test('a receiver that hangs holds up no other, however much waits for it', async () => {
  await using world = await callbackWorld()
  await using stuck = await callbackReceiver()
  for (let i = 0; i < 30; i++) await world.answered(stuck.url('/stuck', 'hang'))
  const patient = world.process('patient', {
    fetch: createGuardedFetch({
      allowPrivateHosts: ['127.0.0.1'],
    }).fetch,
  })
  await patient.look()
  await until(() => stuck.received.length === 8)
  await world.answered(world.receiver.url('/quick'))
  await patient.look()
  await until(() => world.receiver.received.length === 1)
  expect(stuck.mostOpen()).toBe(8)

  const closed = patient[Symbol.asyncDispose]()
  await until(() => world.flows.clock.pending() > 0)
  await world.flows.clock.advance(2_000)
  await closed
  const free = (await world.callbacks()).filter((row) => row.state === 'waiting')
  expect(free).toHaveLength(30)
  expect(free.every((row) => row.claimedBy === null && row.attempts === 0)).toBe(true)
})

test('what a process took and never finished is sent by another once its claim is over', async () => {
  await using world = await callbackWorld()
  const { clock } = world.flows
  await world.answered(world.receiver.url('/hook'))
  // A clock of its own that nobody winds: a dead process renews nothing.
  const dead = { clock: fakeClock(clock.now()), fetch: () => new Promise<never>(() => {}) }
  await world.process('dies', dead).look()
  await world.send()
  expect(await world.callbacks()).toMatchObject([{ state: 'waiting', claimedBy: 'dies' }])
  expect(world.receiver.received).toEqual([])

  await clock.advance(CLAIM_MS)
  await world.send()
  const [callback] = await world.callbacks()
  expect(callback).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(world.receiver.received[0]?.headers['webhook-id']).toBe(String(callback?.id))
})

test('a living process keeps what it has in hand, however long it takes', async () => {
  await using world = await callbackWorld()
  await world.answered(world.receiver.url('/hook'))
  const slow = world.process('slow', { fetch: () => new Promise<never>(() => {}) })
  await slow.look()
  for (let i = 0; i < 6; i++) await world.flows.clock.advance(10_000)
  await world.send()
  expect(await world.callbacks()).toMatchObject([{ claimedBy: 'slow', attempts: 0 }])
})

test('an answer whose process ended between the commit and the request is sent by the next start', async () => {
  await using world = await callbackWorld()
  await world.answered(world.receiver.url('/hook'))
  expect(await world.callbacks()).toMatchObject([{ state: 'waiting', claimedBy: null }])
  const next = world.process('after the restart')
  await world.send(next)
  expect(world.receiver.received).toHaveLength(1)
  await next[Symbol.asyncDispose]()
})

test('two processes send each callback once', async () => {
  await using world = await callbackWorld()
  for (let i = 0; i < 20; i++) await world.answered(world.receiver.url(`/hook-${i}`))
  const other = world.process('other')
  await Promise.all([world.send(), world.send(other)])
  await world.send()
  expect(world.receiver.received).toHaveLength(20)
  await other[Symbol.asyncDispose]()
})

test('while a secret is exchanged, a receiver with either is served; a day later only the new one', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  const old = await world.secret()
  await rotateCallbackSecret({ db, clock }, world.workspaceId)
  const fresh = await world.secret()
  expect(fresh).not.toBe(old)

  await world.answered(world.receiver.url('/during'))
  await world.send()
  const [during] = world.receiver.received
  if (!during) throw new Error('nothing arrived')
  for (const secret of [old, fresh]) verified(secret, during, clock.now())
  expect(String(during.headers['x-service-signature']).split(',')).toHaveLength(3)

  await clock.advance(24 * HOUR)
  await world.answered(world.receiver.url('/after'))
  await world.send()
  const after = world.receiver.received[1]
  if (!after) throw new Error('nothing arrived')
  verified(fresh, after, clock.now())
  expect(() => verified(old, after, clock.now())).toThrow()
})

test('secrets are not rotated away under the receivers: after five in a day there is a stop', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  await world.secret()
  for (let i = 0; i < 4; i++) await rotateCallbackSecret({ db, clock }, world.workspaceId)
  const kept = await world.secret()
  expect(await codeOf(rotateCallbackSecret({ db, clock }, world.workspaceId))).toBe('conflict')
  expect(await world.secret()).toBe(kept)
})

test('sending again keeps the id and the bytes, and begins a new day', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  await world.answered(
    world.receiver.url('/hook', { status: 410 }, { status: 500 }, { status: 204 }),
  )
  await world.send()
  const [gone] = await world.callbacks()
  if (!gone) throw new Error('no callback')
  expect(gone.state).toBe('gone')
  await clock.advance(48 * HOUR)
  const of = { workspaceId: world.workspaceId, id: gone.id }
  await redeliverCallback({ db, clock }, of)
  await world.send()
  await nextAttempt(world)
  const { received } = world.receiver
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([gone.id, gone.id, gone.id])
  expect(await world.callbacks()).toMatchObject([
    { id: gone.id, state: 'delivered', log: [{ status: 410 }, { status: 500 }, { status: 204 }] },
  ])
})

test('what is being sent is not sent again beside it; what is not ours is not found', async () => {
  await using world = await callbackWorld()
  const { clock, db } = world.flows
  await world.answered(world.receiver.url('/hook'))
  const stuck = world.process('stuck', { fetch: () => new Promise(() => {}) })
  await stuck.look()
  await until(async () => (await world.callbacks())[0]?.claimedBy === 'stuck')
  const id = (await world.callbacks())[0]?.id ?? 'cb_none'
  const ours = { workspaceId: world.workspaceId, id }
  expect(await codeOf(redeliverCallback({ db, clock }, ours))).toBe('conflict')
  const theirs = { ...ours, workspaceId: 'ws_other' as const }
  expect(await codeOf(redeliverCallback({ db, clock }, theirs))).toBe('not_found')
})

test('an address that can never be reached is refused when it is asked, with the field named', async () => {
  await using world = await callbackWorld()
  const { flows } = world
  for (const callbackUrl of [
    'ftp://example.com/hook',
    'http://example.com/hook',
    'https://127.0.0.1/hook',
    'https://10.1.2.3/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/hook',
    'https://localhost/hook',
    'https://user:pass@example.com/hook',
    'javascript:alert(1)',
  ]) {
    const asking = askUser(flows.deps, { question: 'Deploy?', callbackUrl }, flows.call())
    const failure = await asking.then(
      () => undefined,
      (error) => error,
    )
    expect([callbackUrl, failure?.code, failure?.fields[0]?.field]).toEqual([
      callbackUrl,
      'invalid_input',
      'callbackUrl',
    ])
  }
})

test('a name that leads into a private network is found out when it is called, and nothing is sent', async () => {
  await using world = await callbackWorld()
  const guarded = createGuardedFetch({ resolve: async () => ['127.0.0.1'] })
  const strict = world.process('strict', { fetch: guarded.fetch })
  await world.answered('https://hooks.example.com/in')
  await world.send(strict)
  expect(await world.callbacks()).toMatchObject([
    { state: 'waiting', lastStatus: 0, lastError: expect.stringContaining('private network') },
  ])
  expect(world.receiver.received).toEqual([])
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing',
    (error) => error.code,
  )
}
