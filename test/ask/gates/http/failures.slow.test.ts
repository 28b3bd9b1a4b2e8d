import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { listTokens } from '../../../../src/ask/accounts/model/token-store.ts'
import { revokeToken } from '../../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../../src/platform/clock.ts'
import { agentHouse } from '../../../support/agent-house.ts'
import { type HttpGateWorld, httpGateWorld } from '../../../support/http-gate-world.ts'
import { httpMcpServer } from '../../../support/http-mcp-server.ts'
import { until } from '../../../support/until.ts'

setDefaultTimeout(120_000)

type Json = Record<string, unknown>

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const call = (id: number, args: object = {}, more: object = {}) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'echo', arguments: args, ...more },
})

/** The answer in a reply: JSON, or the last event of a stream. */
async function answerIn(reply: Response): Promise<Json> {
  const text = await reply.text()
  const events = [...text.matchAll(/^data: (.*)$/gm)]
  return JSON.parse(events.at(-1)?.[1] ?? (text || '{}'))
}

function wordsOf(answer: Json): string {
  const { content = [] } = (answer.result ?? {}) as { content?: Array<{ text: string }> }
  return content[0]?.text ?? ''
}

let world: HttpGateWorld
beforeAll(async () => {
  // Without sessions, so that each request stands alone.
  world = await httpGateWorld('modern')
})
afterAll(() => world[Symbol.asyncDispose]())

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
}
const MODERN = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
}

let ids = 0
function post(args: object, more: { headers?: Json; signal?: AbortSignal; meta?: Json } = {}) {
  const { headers = {}, signal, meta = META } = more
  return fetch(world.url, {
    method: 'POST',
    headers: { ...world.headers(), ...TYPES, ...MODERN, ...headers } as Record<string, string>,
    body: JSON.stringify(call(++ids, args, { _meta: meta })),
    ...(signal ? { signal } : {}),
  })
}

test('a server that never answers: the client gives up, and the record says that it is not known', async () => {
  world.toy.answer(() => new Promise<Response>(() => {}))
  const gone = new AbortController()
  const reply = post({ message: 'hang' }, { signal: gone.signal })
  reply.then((one) => one.text()).catch(() => {})
  const [question] = await world.asked()
  await world.answer(question, 'yes')
  await until(async () => (await world.permits(question)).includes('used'))
  gone.abort()
  await until(async () => (await world.permits(question)).length === 2)
  expect((await world.permits(question)).find((one) => one !== 'used')).toStartWith('not_known')
  world.toy.answer(undefined)
})

test('a server that floods a call with events: all of them pass, and then the answer', async () => {
  const count = 20_000
  world.toy.answer(async (request) => {
    const { id } = (await request.json()) as Json
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } }
    const result = { content: [{ type: 'text', text: 'at last' }] }
    const events = Array.from({ length: count }, () => `data: ${JSON.stringify(note)}\n\n`)
    const last = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
    return new Response([...events, last].join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  const reply = post({ message: 'flood' })
  const [question] = await world.asked()
  await world.answer(question, 'yes')
  const text = await (await reply).text()
  expect(text.split('notifications/message')).toHaveLength(count + 1)
  expect(text).toContain('at last')
  world.toy.answer(undefined)
})

/** Posts over a connection of its own: `fetch` has at most 256 requests under way. */
async function postAlone(args: object, onStream: () => void): Promise<Json> {
  const { hostname, port, pathname } = new URL(world.url)
  const body = JSON.stringify(call(++ids, args, { _meta: META }))
  const headers = {
    ...{ ...world.headers(), ...TYPES, ...MODERN, host: 'beckon', connection: 'close' },
    'content-length': String(body.length),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  const socket = await Bun.connect({
    ...{ hostname, port: Number(port) },
    socket: {
      data: (_, chunk) => {
        if (text === '') onStream()
        text += chunk.toString()
      },
      close: () => resolve(text),
      error: (_, error) => reject(error),
    },
  })
  socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const [, event = '{}'] = /^data: (\{.*"result".*\})\r?$/m.exec(await promise) ?? []
  return JSON.parse(event)
}

test('500 equal calls at once are one question and one run, with an answer for each', async () => {
  const before = world.toy.ran.length
  let streams = 0
  const replies = Array.from({ length: 500 }, () =>
    postAlone({ message: 'once' }, () => void streams++),
  )
  const [question] = await world.asked()
  // Each is held, and its stream has begun.
  await until(() => streams === 500)
  await world.answer(question, 'yes')
  const answers = await Promise.all(replies)
  expect(new Set(answers.map(({ id }) => id)).size).toBe(500)
  expect(new Set(answers.map(wordsOf))).toEqual(new Set(['once']))
  expect(world.toy.ran).toHaveLength(before + 1)
})

test('at the end of the hold the question stays, and a yes that comes then lets the same call run', async () => {
  const headers = { 'x-beckon-hold': '1' }
  const first = await answerIn(await post({ message: 'late' }, { headers }))
  expect(wordsOf(first)).toContain('Nobody answered in time')
  const [question] = await world.asked()
  await world.answer(question, 'yes')
  expect(wordsOf(await answerIn(await post({ message: 'late' })))).toBe('late')
})

test('a protocol version that nobody knows is held and refused all the same', async () => {
  const before = world.toy.ran.length
  const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
  const headers = { 'mcp-protocol-version': '2099-01-01' }
  const declined = post({ message: 'version' }, { headers, meta })
  const [question] = await world.asked()
  await world.answer(question, 'no')
  expect(await answerIn(await declined)).toMatchObject({
    result: { isError: true, resultType: 'complete' },
  })
  // What the server says of the version is its own affair.
  const allowed = post({ message: 'other' }, { headers, meta })
  const [other] = await world.asked()
  await world.answer(other, 'yes')
  expect(await answerIn(await allowed)).toHaveProperty(['id'], ids)
  expect(world.toy.ran).toHaveLength(before)
})

test('a token that is revoked in a hold ends the call, and its question with it', async () => {
  const { db } = world.house.app
  const before = world.toy.ran.length
  const reply = post({ message: 'revoked' })
  reply.then((one) => one.text()).catch(() => {})
  const [question] = await world.asked()
  const [token] = await listTokens(db.read, world.house.workspaceId)
  await revokeToken({ db, clock }, { id: token?.id ?? '' })
  await until(async () => (await world.look(question)).status !== 'pending')
  expect((await post({ message: 'after' })).status).toBe(401)
  expect(world.toy.ran).toHaveLength(before)
})

test('Beckon’s server is restarted in a hold: the call is told so, and runs after the yes', async () => {
  await using house = await agentHouse()
  await using toy = await httpMcpServer('modern')
  const server = await house.start()
  const headers = { authorization: `Bearer ${house.token}`, ...TYPES }
  const body = JSON.stringify({ url: toy.url })
  const registered = `${house.url}/api/v1/gates/toy/server`
  expect((await fetch(registered, { method: 'POST', headers, body })).status).toBe(200)
  const again = () =>
    fetch(`${house.url}/gate/toy`, {
      ...{ method: 'POST', headers: { ...headers, ...MODERN } },
      body: JSON.stringify(call(1, { message: 'after it' }, { _meta: META })),
    })
  const held = again().then(answerIn)
  const { correlationId } = await house.opened()
  await server.end('SIGTERM')
  expect(wordsOf(await held)).toContain('Beckon is being restarted')
  await using _ = await house.start()
  const repeated = again().then(answerIn)
  expect((await house.inbox()).map((one) => one.correlationId)).toEqual([correlationId])
  await house.answer(correlationId, { value: 'yes' })
  expect(wordsOf(await repeated)).toBe('after it')
  expect(toy.ran).toEqual([['echo', { message: 'after it' }]])
})
