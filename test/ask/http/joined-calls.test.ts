import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import type { Json } from '../../support/agent-faces.ts'
import { type CallbackReceiver, callbackReceiver } from '../../support/callback-receiver.ts'
import { connect } from '../../support/devices.ts'
import { noSender } from '../../support/no-sender.ts'
import { onEnded } from '../../support/on-ended.ts'
import { type PushServer, pushServer } from '../../support/push-server.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

/** A connected client; `call` gives up after `timeout` milliseconds, if given. */
type Connected = AsyncDisposable & {
  call(name: string, args: Json, timeout?: number): Promise<Json>
}

let push: PushServer
let house: WholeServer
let receiver: CallbackReceiver
beforeAll(async () => {
  push = await pushServer()
  receiver = await callbackReceiver()
  house = await wholeServer({ env: { BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } })
  const { workspaceId, app } = house
  await connect(app.db, { workspaceId, ...push.subscribe('browser') })
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await push[Symbol.asyncDispose]()
})

const INFO = { name: 'test-client', version: '1.0.0' }
const own = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } })

async function sdk1(token: string): Promise<Connected> {
  const client = new Client(INFO)
  const transport = new StreamableHTTPClientTransport(new URL(house.url + MCP_PATH), own(token))
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return {
    async call(name, args, timeout) {
      const params = { name, arguments: args }
      const result = await client.callTool(params, undefined, timeout ? { timeout } : {})
      return (result.structuredContent ?? result) as Json
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

async function sdk2(token: string): Promise<Connected> {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new ModernTransport(new URL(house.url + MCP_PATH), own(token)))
  return {
    async call(name, args, timeout) {
      const result = await client.callTool({ name, arguments: args }, timeout ? { timeout } : {})
      return (result.structuredContent ?? result) as Json
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const open = () => readInbox({ db: house.app.db, clock: systemClock }, house.workspaceId)

async function openAbout(text: string) {
  const about = (await open()).filter(({ question }) => question.includes(text))
  return about.map(({ id }) => id)
}

async function answer(id: QuestionId | undefined) {
  if (!id) throw new Error('nothing is open')
  const deps = { db: house.app.db, clock: systemClock, onEnded: onEnded(noSender) }
  const { workspaceId } = house
  await answerQuestion(deps, { workspaceId, questionId: id, value: 'yes' })
}

async function until(holds: () => unknown) {
  while (!(await holds())) await Bun.sleep(5)
}

let count = 0

describe.each([
  ['1.x', sdk1],
  ['2.x', sdk2],
] as const)('with SDK %s, without an id', (version, connected) => {
  test('a repeat after the client gave up is the same question, and gets its answer', async () => {
    const question = `Deploy ${version} ${++count}?`
    await using client = await connected(await house.token())
    const lost = client.call('ask_user', { question, sessionId: 's' }, 300)
    expect(lost).rejects.toThrow(/timed out/i)
    await lost.catch(() => {})
    const [first] = await openAbout(question)
    const again = client.call('ask_user', { question, sessionId: 's' })
    await Bun.sleep(200)
    expect(await openAbout(question)).toEqual([first as QuestionId])
    await answer(first)
    expect(await again).toMatchObject({ correlationId: first, value: 'yes' })
  })

  test('two identical calls at once are one question, and both addresses get the answer', async () => {
    const question = `Publish ${version} ${++count}?`
    await using client = await connected(await house.token())
    const before = push.delivered.length
    const paths = [1, 2].map((n) => `/${version}-${count}-${n}`)
    const calls = paths.map((path) =>
      client.call('ask_user', { question, callbackUrl: receiver.url(path) }),
    )
    await until(async () => push.delivered.length > before)
    await Bun.sleep(200)
    const ids = await openAbout(question)
    expect(ids).toHaveLength(1)
    await answer(ids[0])
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({ correlationId: ids[0], value: 'yes' })
    }
    await until(() => paths.every((path) => receiver.at(path).length > 0))
    for (const path of paths) {
      expect(receiver.at(path)).toHaveLength(1)
      expect(JSON.parse(receiver.at(path)[0]?.body ?? '')).toMatchObject({ correlationId: ids[0] })
    }
    expect(push.delivered.length).toBe(before + 1)
  })

  test('two identical proposals at once are one', async () => {
    const doneWhen = `Green ${version} ${++count}.`
    await using client = await connected(await house.token())
    const scope = { sessionId: 's', doneWhen, allowedPaths: ['src'] }
    const calls = [1, 2].map(() => client.call('propose_scope', scope))
    await until(async () => (await openAbout(doneWhen)).length > 0)
    await Bun.sleep(200)
    const ids = await openAbout(doneWhen)
    expect(ids).toHaveLength(1)
    await answer(ids[0])
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject({ correlationId: ids[0], ratified: true })
    }
  })
})

test('under one id, the same content keeps every address, and other content gets no answer there', async () => {
  const call = { question: `Once ${++count}?`, requestId: `r${count}` }
  const url = (name: string) => receiver.url(`/${count}-${name}`)
  await using client = await sdk1(await house.token())
  const ask = (more: Json) => client.call('ask_user', { ...call, wait: false, ...more })
  const first = await ask({ callbackUrl: url('a') })
  await ask({ callbackUrl: url('b') })
  await ask({ question: 'Something else?', callbackUrl: url('other') })
  await answer(first.correlationId as QuestionId)
  expect(await ask({ callbackUrl: url('late') })).toMatchObject({ value: 'yes' })
  const got = (name: string) => receiver.at(`/${count}-${name}`).length
  await until(() => got('a') && got('b') && got('late'))
  expect([got('a'), got('b'), got('late'), got('other')]).toEqual([1, 1, 1, 0])
})
