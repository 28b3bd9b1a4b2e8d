import { expect, test } from 'bun:test'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { withMessage } from '../../../../src/ask/gates/http/events.ts'
import { httpGateWorld } from '../../../support/http-gate-world.ts'
import { httpMcpServer } from '../../../support/http-mcp-server.ts'
import { type StreamServer, streamServer } from '../../../support/stream-server.ts'
import { until } from '../../../support/until.ts'

type Headers = Record<string, string>

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const SESSION = { 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' }
const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  ...{ id, method, params },
})
const BEGIN = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { roots: {} },
  clientInfo: { name: 'walk', version: '1' },
})
const CALL = request('late', 'tools/call', { name: 'late', arguments: {} })
const SEEN = ['content-type', 'mcp-session-id', 'allow']

/** A reply that is read as it comes: its head may come with the first event. */
function open(url: string, headers: Headers, message?: object) {
  const over = new AbortController()
  let head: unknown[] = []
  let text = ''
  let isOver = false
  const reading = (async () => {
    const response = await fetch(url, {
      method: message ? 'POST' : 'GET',
      headers: { ...TYPES, ...headers },
      signal: over.signal,
      ...(message ? { body: JSON.stringify(message) } : {}),
    })
    head = [response.status, ...SEEN.map((name) => response.headers.get(name))]
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  })().catch(() => {})
  void reading.finally(() => {
    isOver = true
  })
  return {
    /** All of it, as soon as it has these words. */
    async has(words: string) {
      await until(async () => text.includes(words))
      return [...head, text]
    },
    async whole() {
      await until(async () => isOver)
      return [...head, text]
    },
    cut: () => over.abort(),
  }
}

type Walk = { url: string; own: Headers; server: StreamServer; onListed(): Promise<void> }

/** Everything that came back while streams were opened, cut, resumed and ended. */
async function walk({ url, own, server, onListed }: Walk): Promise<unknown[]> {
  const headers = { ...own, ...SESSION }
  const get = (more: Headers = {}) => open(url, { ...headers, ...more })
  const log: unknown[] = []
  log.push(await open(url, own, BEGIN).whole())
  const ready = { jsonrpc: '2.0', method: 'notifications/initialized' }
  log.push(await open(url, headers, ready).whole())
  log.push(await open(url, headers, request(1, 'tools/list')).whole())
  await onListed()
  const first = get()
  await until(async () => server.isOpen())
  await server.say('one')
  log.push(await first.has('"one"'))
  // A second stream is refused by the server, and so is an event that it never sent.
  log.push(await get().whole(), await get({ 'last-event-id': 'other' }).whole())
  const roots = server.askRoots()
  log.push(await first.has('roots/list'))
  const answer = { jsonrpc: '2.0', id: 0, result: { roots: [{ uri: 'file:///mine' }] } }
  log.push(await open(url, headers, answer).whole(), await roots)
  first.cut()
  await until(async () => !server.isOpen())
  const seen = server.last()
  await server.say('cut')
  const second = get({ 'last-event-id': seen })
  await second.has('"cut"')
  await server.say('two')
  log.push(await second.has('"two"'), ...(await resumeCall(url, headers, server)))
  server.cut()
  log.push(await second.whole())
  const third = get({ 'last-event-id': server.last() })
  await until(async () => server.isOpen())
  const end = await fetch(url, { method: 'DELETE', headers: { ...TYPES, ...headers } })
  log.push(end.status, await end.text(), await third.whole(), await get().whole())
  return log
}

/** A call whose stream is closed by its server, and which is answered on the one that resumes it. */
async function resumeCall(url: string, headers: Headers, server: StreamServer) {
  const call = await open(url, headers, CALL).whole()
  const [, id = ''] = /id: (.*)/.exec(String(call.at(-1))) ?? []
  const again = open(url, { ...headers, 'last-event-id': id })
  server.answerLate()
  return [call, await again.has('"late"')]
}

test('streams that clients open, cut and resume have the same events with and without the gate', async () => {
  await using plain = streamServer()
  await using gated = streamServer()
  await using direct = await httpMcpServer('old')
  await using world = await httpGateWorld()
  direct.answer((one) => plain.fetch(one))
  world.toy.answer((one) => gated.fetch(one))
  const expected = await walk({ url: direct.url, own: {}, server: plain, onListed: async () => {} })
  const own = world.headers()
  const onListed = () => world.confirm('late')
  const actual = await walk({ url: world.url, own, server: gated, onListed })
  expect(JSON.stringify(expected)).toContain('id: event-')
  expect(actual).toEqual(expected)
  expect(gated.resumed).toEqual(plain.resumed)
})

test('a client of the SDK that is cut off gets what it missed, and a call that is answered on another stream', async () => {
  await using gated = streamServer()
  await using world = await httpGateWorld()
  world.toy.answer((one) => gated.fetch(one))
  const client = await world.client()
  const heard: unknown[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.push(params.data)
  })
  await until(() => gated.isOpen())
  await gated.say('one')
  await until(() => heard.length === 1)
  gated.cut()
  await gated.say('two')
  await until(() => heard.length === 2)
  expect(heard).toEqual(['one', 'two'])
  const call = client.callTool({ name: 'late', arguments: {} })
  const [question] = await world.asked()
  await world.answer(question, 'yes')
  await until(() => gated.resumed.length >= 2)
  gated.answerLate()
  expect(await call).toMatchObject({ content: [{ text: 'late' }] })
  await until(async () => (await world.permits(question)).length === 2)
  expect(await world.permits(question)).toEqual(['used', 'succeeded'])
})

test('a server that has no stream says so with and without the gate', async () => {
  await using direct = await httpMcpServer('old')
  await using world = await httpGateWorld()
  const refuse = () =>
    new Response('no stream here', { status: 405, headers: { allow: 'POST, DELETE' } })
  direct.answer(refuse)
  world.toy.answer(refuse)
  const plain = await open(direct.url, SESSION).whole()
  expect(plain.slice(0, 1)).toEqual([405])
  expect(await open(world.url, { ...world.headers(), ...SESSION }).whole()).toEqual(plain)
})

test('an event whose message is changed keeps its id', () => {
  const event = Buffer.from(
    'event: message\r\nid: 7\r\nretry: 5\r\ndata: {"a":\r\ndata: 1}\r\n\r\n',
  )
  expect(withMessage(event, '{"a":2}')).toBe('event: message\nid: 7\nretry: 5\ndata: {"a":2}\n\n')
})
