import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import callbackCases from '../../../packages/cases/callbacks.json'
import canonicalCases from '../../../packages/cases/canonical.json'
import outcomeCases from '../../../packages/cases/outcomes.json'
import {
  type CallbackEvent,
  callbackHandler,
  verifyCallback,
} from '../../../packages/js/src/callback.ts'
import { canonical, digestOf } from '../../../packages/js/src/canonical.ts'
import { outcomeOf } from '../../../packages/js/src/outcome.ts'

type CallbackCase = {
  name: string
  genuine: boolean
  strip?: boolean
  body?: string
  secret?: string
  now?: number
  headers?: Record<string, string>
}

test.each(canonicalCases.cases.map((one) => [one.name, one] as const))(
  'the table of cases: canonical: %s',
  (_, one) => {
    const write = () => canonical(JSON.parse(one.json))
    if (one.canonical === null) expect(write).toThrow(TypeError)
    else expect(write()).toBe(one.canonical)
  },
)

test.each(canonicalCases.digests.map((one) => [one.name, one] as const))(
  'the table of cases: digest: %s',
  async (_, one) => {
    expect(await digestOf(JSON.parse(one.json))).toBe(one.sha256)
  },
)

test.each(outcomeCases.cases.map((one) => [one.name, one] as const))(
  'the table of cases: outcome: %s',
  (_, one) => {
    expect(outcomeOf(one.result) ?? null).toEqual(one.outcome as never)
  },
)

test('what JSON cannot say has no canonical form', () => {
  const circle: unknown[] = []
  circle.push(circle)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol('a'), circle]) {
    expect(() => canonical(value)).toThrow(TypeError)
  }
  expect(() => canonical([undefined])).toThrow(TypeError)
  expect(canonical({ a: undefined, b: new Date(0) })).toBe('{"b":"1970-01-01T00:00:00.000Z"}')
})

test.each(callbackCases.cases.map((one) => [one.name, one] as const))(
  'callback: %s',
  async (_, one: CallbackCase) => {
    const headers = one.strip ? {} : { ...callbackCases.headers, ...one.headers }
    const {
      body = callbackCases.body,
      secret = callbackCases.secret,
      now = callbackCases.now,
    } = one
    const verified = await verifyCallback(body, headers, secret, now * 1_000)
    expect(verified.status).toBe(one.genuine ? 'genuine' : 'forged')
    if (verified.status === 'genuine') expect(verified.event.value).toBe('yes')
  },
)

test('a handler takes what is genuine, refuses what is not, and asks for it again when it fails', async () => {
  const { body, secret } = callbackCases
  const id = 'msg_1'
  const time = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
  const headers = {
    ...{ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` },
  }
  const events: CallbackEvent[] = []
  const take = callbackHandler(secret, (event) => events.push(event))
  const send = (handler: typeof take, init: RequestInit) =>
    handler(new Request('https://agent.example.com/answers', init))
  const genuine = { method: 'POST', body, headers }
  const statuses = [
    await send(take, genuine),
    await send(take, { ...genuine, body: `${body} ` }),
    await send(take, { headers }),
    await send(take, { method: 'POST', body: 'x'.repeat(1_000_001), headers }),
    await send(
      callbackHandler(secret, () => Promise.reject(new Error('no disk'))),
      genuine,
    ),
  ].map(({ status }) => status)
  expect(statuses).toEqual([204, 400, 405, 413, 500])
  expect(events).toMatchObject([{ value: 'yes' }])
})
