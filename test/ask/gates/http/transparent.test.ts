import { expect, test } from 'bun:test'
import { httpGateWorld } from '../../../support/http-gate-world.ts'
import { httpMcpServer } from '../../../support/http-mcp-server.ts'

type Step = { method?: string; message?: object | string; headers?: Record<string, string> }

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  ...{ id, method, params },
})

// Those of the servers; what belongs to one connection, or guards this server, differs.
const HEADERS = ['content-type', 'mcp-session-id', 'allow', 'retry-after', 'mcp-protocol-version']

/** What came back of each step: status, headers and bytes. */
async function walk(url: string, steps: readonly Step[], own: Record<string, string>) {
  const replies = []
  let session: string | null = null
  for (const { method = 'POST', message, headers } of steps) {
    const response: Response = await fetch(url, {
      method,
      headers: { ...TYPES, ...own, ...(session && { 'mcp-session-id': session }), ...headers },
      ...(message && { body: typeof message === 'string' ? message : JSON.stringify(message) }),
    })
    session ??= response.headers.get('mcp-session-id')
    const seen = HEADERS.map((name) => response.headers.get(name))
    replies.push([response.status, seen, await response.text()])
  }
  return replies
}

const OLD: Step[] = [
  {
    message: request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'walk', version: '1' },
    }),
  },
  { message: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  ...[
    'tools/list',
    'resources/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'ping',
    'own/none',
  ].map((method, at) => ({ message: request(at + 1, method, { uri: 'a://1', name: 'p' }) })),
  { message: request('l', 'logging/setLevel', { level: 'debug' }) },
  { message: '{ "id": "odd", "method":"ping", "jsonrpc": "2.0" }' },
  { message: [request('b1', 'ping'), request('b2', 'ping')] },
  {
    message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nobody' } },
  },
  { message: request('v', 'ping'), headers: { 'mcp-protocol-version': '1999-01-01' } },
  { message: request('a', 'ping'), headers: { accept: 'application/json' } },
  {
    message: request('t', 'tools/call', {
      name: 'steps',
      arguments: {},
      _meta: { progressToken: 3 },
    }),
  },
  { message: request('f', 'tools/call', { name: 'fail', arguments: {} }) },
  { method: 'DELETE' },
  { message: request('after', 'ping') },
]

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'walk', version: '1' },
}
const modern = (id: unknown, method: string, params: Record<string, unknown> = {}): Step => ({
  message: request(id, method, { ...params, _meta: { ...META, progressToken: 'p' } }),
  headers: {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name ? { 'mcp-name': String(params.name) } : {}),
  },
})
const MODERN: Step[] = [
  ...['server/discover', 'tools/list', 'resources/list', 'prompts/list', 'own/none'].map(
    (method, at) => modern(at, method),
  ),
  modern('t', 'tools/call', { name: 'steps', arguments: {} }),
  modern('f', 'tools/call', { name: 'fail', arguments: {} }),
  modern('n', 'tools/call', { name: 'echo', arguments: { message: 'Ünï' } }),
  { ...modern('m', 'ping'), headers: { 'mcp-method': 'tools/list' } },
  { method: 'GET' },
  { method: 'DELETE' },
]

for (const [era, steps] of [
  ['old', OLD],
  ['modern', MODERN],
] as const) {
  test(`a server gives the same answers with and without the gate (${era} era)`, async () => {
    await using direct = await httpMcpServer(era)
    await using world = await httpGateWorld(era)
    // What decides about calls is not compared: all of them are allowed.
    const client = await world.client()
    await world.confirm('steps', 'fail', 'echo')
    if (era === 'old') {
      // The sessions of both servers have the same numbers from now on.
      const begin = OLD.slice(0, 1)
      await walk(direct.url, begin, {})
    }
    const plain = await walk(direct.url, steps, {})
    const gated = await walk(world.url, steps, world.headers())
    expect(gated).toEqual(plain)
    await client.close()
  })
}
