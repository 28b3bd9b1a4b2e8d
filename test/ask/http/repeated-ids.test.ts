import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import type { AskUserResult, ProposeScopeResult } from '../../../src/ask/wire/result-fields.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { askOverRest, callOverMcp, type Json } from '../../support/agent-faces.ts'
import { connect } from '../../support/devices.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

type Speaker = (token: string, args: Json, meta?: Json, tool?: string) => Promise<Json>

const MINUTE = 60_000

let push: PushServer
let house: WholeServer
let later = 0
beforeAll(async () => {
  push = await pushServer()
  house = await wholeServer({
    env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
    clock: { ...systemClock, now: () => Date.now() + later },
  })
  const { workspaceId, app } = house
  await connect(app.db, { workspaceId, ...push.subscribe('browser') })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await push[Symbol.asyncDispose]()
})

async function answer(id: unknown, value: string) {
  const deps = { db: house.app.db, clock: systemClock, onEnded: onEnded(noSender) }
  const { workspaceId } = house
  await answerQuestion(deps, { workspaceId, questionId: id as QuestionId, value })
}

async function open() {
  const deps = { db: house.app.db, clock: { ...systemClock, now: () => Date.now() + later } }
  return await readInbox(deps, house.workspaceId)
}

const overRest: Speaker = (...input) => askOverRest(house.url, ...input)
const FACES: [string, Speaker][] = [
  ['REST', overRest],
  ['MCP of 2025', (...input) => callOverMcp('2025-11-25', house.url, ...input)],
  ['MCP of 2026', (...input) => callOverMcp('2026-07-28', house.url, ...input)],
]

let ids = 0
const newId = () => `functions.write:${++ids}`
const WRITE = { question: 'Write a.ts?', action: 'Write a.ts', wait: false }

describe.each(FACES)('an id that is used again, over %s', (_, speak) => {
  const answered = async (token: string, args: Json, meta?: Json) => {
    const result = await speak(token, { ...WRITE, ...args }, meta)
    await answer(result.correlationId, 'yes')
    return result.correlationId
  }

  test.each(['Write a.ts?', 'Delete everything?'])(
    'by another token asks: %s',
    async (question) => {
      const [a, b] = [await house.token(), await house.token()]
      for (const meta of [undefined, { callId: newId() }, { 'claudecode/toolUseId': newId() }]) {
        const ids = meta ? {} : { requestId: newId() }
        const before = push.delivered.length
        const first = await answered(a, { ...ids, sessionId: 'A' }, meta)
        const second = await speak(b, { ...WRITE, ...ids, question, sessionId: 'A' }, meta)
        expect(second).toMatchObject({ status: 'pending', question })
        expect(second.correlationId).not.toBe(first)
        await push.until(before + 2)
      }
    },
  )

  test('in another session, project or machine asks another question', async () => {
    const token = await house.token()
    const requestId = newId()
    const place = { sessionId: 'A', machineId: 'm', repoKey: 'r' }
    const first = await answered(token, { requestId, ...place })
    const others = [{ sessionId: 'B' }, { machineId: 'n' }, { repoKey: 's' }]
    const seen = new Set([first])
    for (const other of [{}, ...others.map((one) => ({ ...place, ...one }))]) {
      const result = await speak(token, { ...WRITE, requestId, ...other })
      expect(result).toMatchObject({ status: 'pending' })
      seen.add(result.correlationId)
    }
    expect(seen.size).toBe(5)
  })

  test('by test traffic is no live question, and the other way round', async () => {
    const token = await house.token()
    for (const [one, two] of [
      [{ env: 'test' }, {}],
      [{}, { env: 'test' }],
    ]) {
      const requestId = newId()
      const first = await answered(token, { requestId, ...one })
      const second = await speak(token, { ...WRITE, requestId, ...two })
      expect(second.correlationId).not.toBe(first)
      expect(second).toMatchObject({ status: 'pending' })
      expect(second.held).toBe(two?.env ? 'test_traffic' : undefined)
      expect(second.delivery).toMatchObject(two?.env ? { web: 0 } : {})
    }
  })

  test('by the same call again gets the answer that was lost, for an hour and the life', async () => {
    const token = await house.token()
    const call = { requestId: newId(), sessionId: 'A', action: 'Write b.ts' }
    const first = await answered(token, call)
    for (const minutes of [0, 11, 69]) {
      later = minutes * MINUTE
      const again = await speak(token, { ...WRITE, ...call })
      expect(again).toMatchObject({ correlationId: first, status: 'answered', value: 'yes' })
      expect(again.hint).toBeUndefined()
    }
    later = 71 * MINUTE
    const anew = await speak(token, { ...WRITE, ...call })
    expect(anew).toMatchObject({ status: 'pending' })
    expect(anew.correlationId).not.toBe(first)
    expect(await speak(token, { ...WRITE, ...call })).toMatchObject({
      correlationId: anew.correlationId,
    })
    later = 0
  })

  test('long after nobody answered, asks again', async () => {
    const token = await house.token()
    const call = { ...WRITE, requestId: newId() }
    const first = await speak(token, call)
    later = 20 * MINUTE
    expect(await speak(token, call)).toMatchObject({
      correlationId: first.correlationId,
      status: 'expired',
    })
    later = 3 * 60 * MINUTE
    const anew = await speak(token, call)
    expect(anew).toMatchObject({ status: 'pending' })
    expect(anew.correlationId).not.toBe(first.correlationId)
    later = 0
  })

  test('for something else gets no answer, and no step that would fetch it', async () => {
    const token = await house.token()
    const requestId = newId()
    const first = await answered(token, { requestId })
    const others: Json[] = [
      { question: 'Delete everything?' },
      { action: 'Write /etc/passwd' },
      { actionBody: '+evil' },
      { context: 'for fun' },
      { toolPath: '/etc/passwd' },
      { scopePath: '/etc/passwd' },
      { type: 'input' },
      { type: 'select', options: ['yes', 'no'] },
    ]
    for (const other of others) {
      const result = await speak(token, { ...WRITE, ...other, requestId })
      expect(result).toMatchObject({ correlationId: first, question: WRITE.question })
      expect(result).toMatchObject({ type: 'confirm', nextAction: 'ask_in_current_client' })
      expect(result).not.toHaveProperty('value')
      const [field = ''] = Object.keys(other)
      expect([other, result.hint]).toEqual([other, expect.stringContaining(field)])
      expect(result.hint).toContain('another id')
    }
  })
})

test('a hundred calls at once under one id are one question, and others beside it their own', async () => {
  const [a, b] = [await house.token(), await house.token()]
  const requestId = newId()
  const before = push.delivered.length
  const calls = Array.from({ length: 100 }, (_, at) =>
    overRest(at % 2 ? a : b, { ...WRITE, requestId }),
  )
  const results = (await Promise.all(calls)) as AskUserResult[]
  const of = (odd: number) => new Set(results.filter((_, at) => at % 2 === odd).map(idOf))
  expect([of(0).size, of(1).size]).toEqual([1, 1])
  expect([...of(0)]).not.toEqual([...of(1)])
  await push.until(before + 2)
})

test('an id that was forgotten opens one question, however many use it at once', async () => {
  const token = await house.token()
  const call = { ...WRITE, requestId: newId() }
  const old = await overRest(token, call)
  later = 3 * 60 * MINUTE
  const results = await Promise.all(Array.from({ length: 50 }, () => overRest(token, call)))
  later = 0
  const ids = new Set(results.map(idOf))
  expect(ids.size).toBe(1)
  expect([...ids]).not.toEqual([old.correlationId])
})

describe.each(FACES)('a proposal under an id that was used, over %s', (_, speak) => {
  const scope = { sessionId: 'S', doneWhen: 'Green.', allowedPaths: ['src'], timeoutMs: 1_000 }
  const propose = async (token: string, args: Json, meta: Json) =>
    (await speak(token, { ...scope, ...args }, meta, 'propose_scope')) as ProposeScopeResult

  test('a repeated id is another question for another token, session and test flag, and the same for a retry', async () => {
    const [a, b] = [await house.token(), await house.token()]
    const meta = { callId: newId() }
    const first = await propose(a, {}, meta)
    await answer(first.correlationId, 'yes')
    expect(await propose(a, {}, meta)).toMatchObject({
      correlationId: first.correlationId,
      ratified: true,
    })
    const wide = await propose(a, { allowedPaths: ['**'] }, meta)
    expect(wide).toMatchObject({
      correlationId: first.correlationId,
      answered: false,
      nextAction: 'ask_in_current_client',
      hint: expect.stringMatching(/different: allowedPaths.*another id/),
    })
    for (const field of ['ratified', 'contract', 'enforces', 'enforcementNote']) {
      expect(wide).not.toHaveProperty(field)
    }
    expect((await propose(b, {}, meta)).ratified).not.toBe(true)
    expect((await propose(a, { sessionId: 'T' }, meta)).ratified).not.toBe(true)
    await house.app.db.write(async () => {})
  }, 60_000)
})

test.each(FACES)('a notification that is sent again over %s is pushed once', async (_, speak) => {
  const [token, meta] = [await house.token(), { callId: newId() }]
  const note = { title: 'Build finished', body: `All tests pass ${newId()}.` }
  const before = push.delivered.length
  const first = await speak(token, note, meta, 'send_notification')
  expect(first).toMatchObject({ sent: 1 })
  expect(await speak(token, note, meta, 'send_notification')).toEqual(first)
  const other = await speak(token, { ...note, title: 'Failed' }, meta, 'send_notification')
  expect(other).toMatchObject({ sent: 0, hint: expect.stringContaining('different: title') })
  expect(push.delivered.length).toBe(before + 1)
})

const hangUp = async (token: string, args: Json, headers: Json = {}) => {
  const line = new AbortController()
  const before = (await open()).length
  const count = push.delivered.length
  const asking = fetch(`${house.url}/api/v1/questions`, {
    method: 'POST',
    headers: {
      ...(headers as Record<string, string>),
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(args),
    signal: line.signal,
  }).catch(() => undefined)
  while ((await open()).length === before) await Bun.sleep(5)
  const [question] = (await open()).filter(({ question }) => question === args.question)
  // The call waits for the person once its delivery is known.
  await push.until(count + 1)
  line.abort()
  await asking
  while ((await abandonedAt(question?.id)) === undefined) await Bun.sleep(5)
  return question?.id
}
const abandonedAt = async (id: unknown) =>
  (await open()).find((question) => question.id === id)?.abandonedAt

test('a repeat without an id after a hang-up joins the very same question alone', async () => {
  const token = await house.token()
  const other = await house.token()
  const question = { question: `Go ${newId()}?`, action: 'rm x', sessionId: 'A', machineId: 'm' }
  const first = await hangUp(token, question)
  const again = async (more: Json, as = token) =>
    (await overRest(as, { ...question, ...more, wait: false })).correlationId
  expect(await again({}, other)).not.toBe(first)
  expect(await again({ action: 'rm -rf /' })).not.toBe(first)
  expect(await again({ env: 'test' })).not.toBe(first)
  expect(await again({ machineId: 'n' })).not.toBe(first)
  expect(await again({ sessionId: 'B' })).not.toBe(first)
  expect(await again({})).toBe(first)
})

function idOf({ correlationId }: { correlationId?: unknown }) {
  return correlationId
}
