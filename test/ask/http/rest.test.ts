import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { quickKey } from '../../../src/ask/delivery/model/links.ts'
import { readQuestion } from '../../../src/ask/inbox/read-questions.ts'
import type { Subscriber, SubscriberId } from '../../../src/ask/subscribers/model/subscriber.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { AskUserResult, WaitResult } from '../../../src/ask/wire/result-fields.ts'
import { shape } from '../../../src/platform/schema.ts'
import { connect } from '../../support/devices.ts'
import { type Ask, HOME, type RestWorld, restWorld } from './rest-world.ts'

// Whole processes and many requests on a busy machine.
setDefaultTimeout(60_000)

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const call = (ask: Ask) => world.call(ask)

let opened = 0

/** A question of its own. */
async function open(more: object = {}): Promise<string> {
  const body = { question: 'Deploy now?', requestId: `open-${++opened}`, wait: false, ...more }
  const reply = await call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body })
  expect(reply.status).toBe(200)
  return (reply.body as { correlationId: string }).correlationId
}

const NOTE = { title: 'Built', body: 'All green.' }
const notify = { method: 'POST', path: '/api/v1/notifications', body: NOTE } as const

test('the inbox shows what is open to its own workspace alone', async () => {
  const id = await open({ context: 'Friday, 17:55', agentName: 'Claude Code - shop' })
  const mine = await call({ as: 'member', path: '/api/v1/inbox' })
  expect(mine.text).toContain(id)
  expect(mine.text).toContain('Friday, 17:55')
  const theirs = await call({ as: 'otherMember', path: '/api/v1/inbox' })
  expect(theirs.status).toBe(200)
  expect(theirs.text).not.toContain(id)
})

test.each([
  ['shop-bot/2.1 (linux)', 'shop-bot'],
  ['curl/8.5.0', 'a'],
  ['Bun/1.4.5', 'a'],
  ['beckon/0.1.0', 'a'],
])(
  'a question without an agentName is from the program, not from its library: %s',
  async (userAgent, name) => {
    const body = { question: `From ${userAgent}?`, wait: false }
    const headers = { 'user-agent': userAgent }
    await call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body, headers })
    const { body: inbox } = await call({ as: 'member', path: '/api/v1/inbox' })
    const { questions } = inbox as { questions: { question: string; agentName?: string }[] }
    expect(questions.find(({ question }) => question === body.question)?.agentName).toBe(name)
  },
)

const answer = (id: string, body: unknown, as: Ask['as'] = 'member', more: Partial<Ask> = {}) =>
  call({ as, method: 'POST', path: `/api/v1/questions/${id}/answer`, body, ...more })

test('an answer reaches the call that waits for it', async () => {
  const asking = call({
    as: 'agent',
    method: 'POST',
    path: '/api/v1/questions',
    body: { question: 'Which one?', type: 'select', options: ['a', 'b'], timeoutMs: 20_000 },
  })
  const id = await openedId('Which one?')
  const answered = await answer(id, { value: 'b', note: 'the small one', surface: 'inbox' })
  expect([answered.status, answered.body]).toEqual([
    200,
    expect.objectContaining({ status: 'answered', value: 'b', answerSource: 'inbox' }),
  ])
  const { status, body } = await asking
  expect(status).toBe(200)
  expect(shape(AskUserResult).wrong(body)).toEqual([])
  expect(body).toMatchObject({ answered: true, value: 'b', note: 'the small one' })
})

async function openedId(question: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { body } = await call({ as: 'member', path: '/api/v1/inbox' })
    const { questions } = body as { questions: { question: string; correlationId: string }[] }
    const match = questions.find((one) => one.question === question)
    if (match) return match.correlationId
    await Bun.sleep(5)
  }
  throw new Error(`"${question}" never came`)
}

test('wait_for_answer over REST returns what was answered', async () => {
  const id = await open()
  const waiting = call({ as: 'agent', path: `/api/v1/questions/${id}?timeoutMs=20000` })
  await answer(id, { value: 'yes' })
  const { body } = await waiting
  expect(shape(WaitResult).wrong(body)).toEqual([])
  expect(body).toMatchObject({ status: 'answered', value: 'yes' })
})

test('the second answer is too late and is told what won', async () => {
  const id = await open()
  expect((await answer(id, { value: 'no' })).status).toBe(200)
  const late = await answer(id, { value: 'yes' })
  expect([late.status, late.body]).toEqual([
    409,
    expect.objectContaining({
      code: 'too_late',
      outcome: expect.objectContaining({ status: 'answered', value: 'no' }),
    }),
  ])
})

test('a wrong value is refused with what would be accepted', async () => {
  const id = await open({ type: 'select', options: ['red', 'blue'] })
  const { status, body } = await answer(id, { value: 'green' })
  expect([status, body]).toEqual([422, expect.objectContaining({ code: 'invalid_answer' })])
  expect((body as { detail: string }).detail).toContain('"red", "blue"')
})

test('nobody answers for a workspace that is not theirs', async () => {
  const id = await open()
  expect((await answer(id, { value: 'yes' }, 'nobody')).status).toBe(401)
  expect((await answer(id, { value: 'yes' }, 'agent')).status).toBe(403)
  expect((await answer(id, { value: 'yes' }, 'otherMember')).status).toBe(404)
  const foreign = { headers: { origin: 'https://evil.example' } }
  expect((await answer(id, { value: 'yes' }, 'member', foreign)).status).toBe(403)
  const state = await call({ as: 'agent', path: `/api/v1/questions/${id}?timeoutMs=1000` })
  expect(state.body).toMatchObject({ status: 'pending', timedOut: true })
})

test('a surface that is not the person’s to claim is refused', async () => {
  const id = await open()
  for (const surface of ['slack', 'sandbox', 'moon']) {
    expect((await answer(id, { value: 'yes', surface })).status).toBe(422)
  }
})

const keyOf = (id: string, device: SubscriberId) =>
  quickKey(world.deps.quickAnswerSecret, id as QuestionId, device)

test('a notification button answers with its key, and only with that', async () => {
  const id = await open()
  const { id: device } = world.browser
  const quick = { value: 'yes', subscriberId: device, surface: 'mobile_background' }
  const otherId = (await open()) as QuestionId
  for (const key of ['', 'wrong', keyOf(otherId, device)]) {
    expect((await answer(id, { ...quick, key }, 'nobody')).status).toBe(403)
  }
  const done = await answer(id, { ...quick, key: keyOf(id, device) }, 'nobody')
  expect(done.body).toMatchObject({ status: 'answered', value: 'yes' })
  // The button was in a browser; nothing here proves a phone.
  expect(done.body).not.toHaveProperty('answerSource')
})

test('a notification button on a phone says so, and whose phone it is', async () => {
  const { db } = world.deps
  const subscription = { ...world.push.subscribe('phone'), personId: 'member' }
  const [phone] = await connect(db, { ...subscription, workspaceId: HOME, kind: 'phone' })
  const id = await open()
  const { id: subscriberId } = phone as Subscriber
  const tap = { value: 'no', subscriberId, surface: 'mobile_background' }
  const done = await answer(id, { ...tap, key: keyOf(id, subscriberId) }, 'nobody')
  expect(done.body).toMatchObject({ status: 'answered', answerSource: 'mobile_background' })
  const stored = await readQuestion(world.deps, { workspaceId: HOME }, id)
  expect(stored).toMatchObject({ answeredBy: 'member' })
})

test('a token answers its own test traffic as a sandbox, and nothing else', async () => {
  const answer = { method: 'POST', body: { value: 'yes', note: 'as agreed' } } as const
  const ask = { question: 'Loop?', env: 'test', wait: false }
  const held = await call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body: ask })
  const { correlationId } = held.body as { correlationId: string }
  const path = `/api/v1/questions/${correlationId}/answer`
  expect((await call({ ...answer, as: 'otherAgent', path })).status).toBe(404)
  expect((await call({ ...answer, as: 'wrong', path })).status).toBe(401)
  expect((await call({ ...answer, as: 'agent', path })).status).toBe(200)
  const reply = await call({ as: 'agent', path: `/api/v1/questions/${correlationId}` })
  expect(reply.body as object).toMatchObject({
    status: 'answered',
    value: 'yes',
    note: 'as agreed',
    answerSource: 'sandbox',
    env: 'test',
  })

  const real = { question: 'Really?', wait: false }
  const open = await call({ as: 'agent', method: 'POST', path: '/api/v1/questions', body: real })
  const other = (open.body as { correlationId: string }).correlationId
  const refused = await call({ ...answer, as: 'agent', path: `/api/v1/questions/${other}/answer` })
  expect([refused.status, refused.text]).toEqual([
    403,
    expect.stringContaining('only answer test questions'),
  ])
})

test('cancelling needs no body, and loses against an answer', async () => {
  const cancel = (id: string, as: Ask['as'] = 'agent', body?: unknown) =>
    call({ as, method: 'POST', path: `/api/v1/questions/${id}/cancel`, body })
  const first = await open()
  expect((await cancel(first, 'otherAgent')).body).toMatchObject({ status: 'missing' })
  expect((await cancel(first)).body).toMatchObject({ cancelled: true, status: 'cancelled' })
  const second = await open()
  await answer(second, { value: 'yes' })
  expect((await cancel(second, 'agent', { reason: 'solved' })).body).toMatchObject({
    cancelled: false,
    status: 'answered',
    value: 'yes',
  })
})

test('stopping ends the question as stopped', async () => {
  const id = await open()
  const path = `/api/v1/questions/${id}/stop`
  expect((await call({ as: 'otherMember', method: 'POST', path })).status).toBe(404)
  expect((await call({ as: 'member', method: 'POST', path })).body).toMatchObject({
    status: 'stopped',
  })
  expect((await call({ as: 'member', method: 'POST', path })).status).toBe(409)
})

test('a scope is proposed, agreed and told with its contract', async () => {
  const body = { doneWhen: 'Tests pass', sessionId: 's1', allowedPaths: ['src'], timeoutMs: 20_000 }
  const asking = call({ as: 'agent', method: 'POST', path: '/api/v1/scopes', body })
  const id = await openedId('Agree to this scope? Done when: Tests pass')
  await answer(id, { value: 'yes' })
  expect((await asking).body).toMatchObject({ answered: true, ratified: true })
})

test('activity pages by an opaque cursor and ends', async () => {
  await open()
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 100; pages++) {
    const { body } = await call({ as: 'member', path: `/api/v1/activity?limit=3${cursor}` })
    const { items, next } = body as { items: object[]; next?: string }
    seen.push(...items.map((item) => JSON.stringify(item)))
    if (!next) break
    cursor = `&cursor=${next}`
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThan(3)
  expect((await call({ as: 'otherMember', path: '/api/v1/activity' })).body).toEqual({
    items: [],
  } as never)
})

test('a key is made, works, is listed without its token, and is revoked', async () => {
  const make = { method: 'POST', path: '/api/v1/keys', body: { name: 'CI' } } as const
  expect((await call({ as: 'nobody', ...make })).status).toBe(401)
  const reply = await call({ as: 'member', ...make })
  expect(reply.status).toBe(201)
  const { id, token } = reply.body as { id: string; token: string }
  const withIt = { authorization: `Bearer ${token}` }
  expect((await call({ ...notify, headers: withIt })).status).toBe(200)
  const listed = await call({ as: 'member', path: '/api/v1/keys' })
  expect(listed.text).toContain(id)
  expect(listed.text).not.toContain(token)
  const remove = { method: 'DELETE', path: `/api/v1/keys/${id}` } as const
  expect((await call({ as: 'otherMember', ...remove })).status).toBe(404)
  expect((await call({ as: 'member', ...remove })).status).toBe(204)
  expect((await call({ ...notify, headers: withIt })).status).toBe(401)
})

test('a token that runs wild is slowed down', async () => {
  const { token } = (await call({
    as: 'member',
    method: 'POST',
    path: '/api/v1/keys',
    body: { name: 'wild' },
  }).then(({ body }) => body)) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const path = '/api/v1/questions/q_nothing?timeoutMs=1'
  const responses = await Promise.all(
    Array.from({ length: 1_300 }, () => fetch(world.url + path, { headers })),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([422, 429]))
  const refused = responses.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused?.json()).toMatchObject({ code: 'rate_limited' })
})

test('a caller that hangs up frees its seat, and the question lives on', async () => {
  const hangUp = new AbortController()
  const gone = call({
    as: 'agent',
    method: 'POST',
    path: '/api/v1/questions',
    body: { question: 'Still there?', timeoutMs: 50_000 },
    signal: hangUp.signal,
  }).catch(() => 'gone')
  const id = await openedId('Still there?')
  while (world.deps.waiters.count() === 0) await Bun.sleep(1)
  hangUp.abort()
  expect(await gone).toBe('gone')
  while (world.deps.waiters.count() > 0) await Bun.sleep(1)
  expect((await answer(id, { value: 'yes' })).status).toBe(200)
})
