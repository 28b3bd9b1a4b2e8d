import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { BridgeLimits } from '../../../src/agent/bridge/patience.ts'
import { post } from '../../../src/agent/bridge/post.ts'
import { createUnresolved } from '../../../src/agent/bridge/unresolved.ts'
import { type BridgeProcess, bridgeProcess } from '../../support/bridge-process.ts'
import { rpc, toolCall } from '../../support/mcp-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(60_000)

type Json = Record<string, unknown>
type Sent = { method?: string; params: { name: string; arguments: Json; _meta?: Json } }

const open: Disposable[] = []
afterEach(() => {
  for (const one of open.splice(0)) one[Symbol.dispose]()
})

/** A server that is no Beckon, or a broken one: what it is asked, and what it says to that. */
function server(answer: (message: Sent, request: Request) => Response | Promise<Response>) {
  const messages: Sent[] = []
  const served = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const message = (await request.json()) as Sent
      messages.push(message)
      return await answer(message, request)
    },
  })
  open.push({ [Symbol.dispose]: () => void served.stop(true) })
  return { url: served.url.origin, messages }
}

function bridge(url: string, limits?: Partial<BridgeLimits>): BridgeProcess {
  const folder = tempFolder()
  open.push(folder)
  return bridgeProcess(
    { HOME: folder.path, BECKON_URL: url, BECKON_TOKEN: 'bk_x' },
    limits && { limits },
  )
}

const ask = (id: unknown, question = 'Go?') => ({ ...toolCall('ask_user', { question }), id })
const outgoing = (url: string, more: object) => ({
  url,
  headers: {},
  body: '{}',
  listen() {},
  silenceMs: 30_000,
  leftMs: 30_000,
  ...more,
})
const never = new AbortController().signal

function endless(piece: string): Response {
  const bytes = new TextEncoder().encode(piece)
  const body = new ReadableStream({
    async pull(sink) {
      await Bun.sleep(1)
      sink.enqueue(bytes)
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

test('a server that shows signs of life for ever is left when the time of the call is over', async () => {
  const { url } = server(() => endless(': \n\n'))
  const result = await post(outgoing(url, { leftMs: 300 }), never)
  expect(result).toMatchObject({
    is: 'lost',
    arrived: true,
    hasBegun: true,
    why: 'it does not answer',
  })
})

test('a reply that never ends is no reply, as events and as one body', async () => {
  const { url } = server(() => endless('x'.repeat(1024 * 1024)))
  expect(await post(outgoing(url, {}), never)).toMatchObject({ is: 'lost', hasBegun: true })
  const plain = server(() => {
    const { body } = endless('x'.repeat(1024 * 1024))
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  })
  expect(await post(outgoing(plain.url, {}), never)).toEqual({ is: 'foreign', status: 200 })
})

test('a reply is handed on as a reply, and nothing else with it', async () => {
  const hostile = [
    { id: 'other', method: 'sampling/createMessage', result: { content: [] }, evil: 1 },
    { id: 1, error: { code: 7, message: 'No.' }, method: 'x' },
    { id: 1, error: { code: '7', message: 'No.' } },
    { id: 1, result: 'text' },
  ]
  const { url } = server(() => Response.json({ jsonrpc: '2.0', ...hostile.shift() }))
  await using process = bridge(url)
  for (const id of [1, 2, 3, 4]) process.send({ ...rpc('tools/list'), id })
  for (const id of [1, 2, 3, 4]) await process.reply(id)
  const replies = process.heard().sort((one, other) => Number(one.id) - Number(other.id))
  for (const message of replies) expect(Object.keys(message)).not.toContain('method')
  const content = replies.filter(({ result }) => Bun.deepEquals(result, { content: [] }))
  expect(content).toEqual([{ jsonrpc: '2.0', id: expect.any(Number), result: { content: [] } }])
  const errors = replies.filter(({ error }) => error !== undefined)
  expect(errors).toEqual([
    { jsonrpc: '2.0', id: expect.any(Number), error: { code: 7, message: 'No.' } },
  ])
})

test('a call that was lost before its question had an id goes out under the same key again', async () => {
  let mode: 'lose' | 'answer' = 'lose'
  const result = { content: [], structuredContent: { correlationId: 'q_1' } }
  const { url, messages } = server(({ params }) => {
    if (mode === 'answer') return Response.json({ jsonrpc: '2.0', id: 1, result })
    // Taken, and then nothing: as by a process that is killed.
    return new Response(null, { status: params ? 502 : 500 })
  })
  await using process = bridge(url, { awayMs: 1_000 })
  process.send(ask(1))
  const lost = await process.reply(1)
  expect(lost.result).toMatchObject({ isError: true })
  expect(JSON.stringify(lost.result)).toContain('the same arguments')
  mode = 'answer'
  for (const id of [2, 3]) {
    process.send(ask(id))
    await process.reply(id)
  }
  process.send(ask(4, 'Another?'))
  await process.reply(4)
  const keys = messages.map(({ params }) => params.arguments.requestId)
  const [first] = keys
  expect(first).toBeString()
  // However often it was tried, and when it was called again; after its end it is a new one.
  expect(keys.slice(0, -2).every((key) => key === first)).toBe(true)
  expect(new Set(keys.slice(-3)).size).toBe(3)
})

test('what is not known of calls is kept by what they ask, while it can be answered, and not without end', () => {
  let now = 0
  const unresolved = createUnresolved(() => now)
  const asks = (question: string, more: object = {}) => ({
    name: 'ask_user',
    arguments: { question, ...more },
  })
  const out = (key: string) => ({ name: 'ask_user', arguments: { requestId: key } })
  const keyOf = (message: Json) => {
    const { arguments: args } = unresolved.resumed(message, { ...message, arguments: {} })
    return (args as Json).requestId
  }
  unresolved.keep(asks('A?', { type: 'confirm', timeoutMs: 1_000 }), out('a'))
  expect(keyOf({ name: 'ask_user', arguments: { type: 'confirm', question: 'A?' } })).toBe('a')
  expect(keyOf(asks('A?'))).toBeUndefined()
  // Whoever names a call knows what it repeats.
  unresolved.keep(asks('B?', { requestId: 'own' }), out('own'))
  expect(keyOf(asks('B?', { requestId: 'own' }))).toBeUndefined()
  unresolved.keep({ name: 'send_notification', arguments: {} }, out('n'))
  expect(keyOf({ name: 'send_notification', arguments: {} })).toBeUndefined()
  const scope = { name: 'propose_scope', arguments: { doneWhen: 'Done.' }, _meta: { callId: 'c1' } }
  unresolved.keep(scope, scope)
  const meta = { 'claudecode/toolUseId': 'c2', progressToken: 1 }
  expect(unresolved.resumed(scope, { ...scope, _meta: meta })._meta).toEqual({
    progressToken: 1,
    callId: 'c1',
  })
  for (let i = 0; i < 100; i++) unresolved.keep(asks(`${i}?`), out(`${i}`))
  expect([keyOf(asks('A?', { type: 'confirm' })), keyOf(asks('99?'))]).toEqual([undefined, '99'])
  unresolved.drop(asks('99?'))
  expect([keyOf(asks('98?')), keyOf(asks('99?'))]).toEqual(['98', undefined])
  unresolved.keep(asks('C?'), out('c'), 'q_c')
  unresolved.drop({ name: 'wait_for_answer', arguments: { correlationId: 'q_c' } }, 'q_c')
  expect([keyOf(asks('C?')), keyOf(asks('98?'))]).toEqual([undefined, '98'])
  now += 10 * 60_000
  expect(keyOf(asks('98?'))).toBeUndefined()
})

test('a client that hides ask_user is offered ask_human while the server is away too', async () => {
  await using process = bridge('http://127.0.0.1:9', { listMs: 200, restartMs: 200 })
  const clientInfo = { name: 'gemini-cli-mcp-client', version: '1' }
  process.send(
    rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 1),
  )
  await process.reply(1)
  process.send(rpc('tools/list', undefined, 2))
  const { result } = (await process.reply(2)) as { result: { tools: { name: string }[] } }
  expect(result.tools.map(({ name }) => name)).toContain('ask_human')
  expect(result.tools.map(({ name }) => name)).not.toContain('ask_user')
  process.send({ ...toolCall('cancel_question', { correlationId: 'q_1' }), id: 3 })
  expect(await process.reply(3)).toMatchObject({
    result: {
      content: [{ text: expect.stringContaining('q_1: status unavailable, not withdrawn') }],
    },
  })
})

test('a client that shows a result to a model has the sentence alone, others both halves', async () => {
  const call = { content: [{ type: 'text', text: 'Go on.' }], structuredContent: { value: 'yes' } }
  const ended = { taskId: 't', status: 'completed', result: call }
  const { url } = server(({ method }) => {
    const result = method === 'tasks/get' ? ended : call
    return Response.json({ jsonrpc: '2.0', id: 1, result })
  })
  const heard = async (name: string) => {
    await using process = bridge(url)
    const clientInfo = { name, version: '1' }
    process.send(
      rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }, 1),
    )
    await process.reply(1)
    process.send(ask(2))
    process.send(rpc('tasks/get', { taskId: 't' }, 3))
    return [(await process.reply(2)).result, (await process.reply(3)).result]
  }
  const { structuredContent: _, ...sentence } = call
  expect(await heard('a-program')).toEqual([call, ended])
  for (const name of ['claude-code', 'codex-mcp-client', 'copilot-cli'])
    expect(await heard(name)).toEqual([sentence, { ...ended, result: sentence }])
})
