import { MODERN, modernHeaders, modernMeta, rpc, toolCall } from '../../support/mcp-world.ts'

const modern = (method: string, params: object = {}, meta: object = {}) =>
  rpc(method, { ...params, _meta: modernMeta({ ...meta }) })
const V = 'io.modelcontextprotocol/protocolVersion'
export const NO_TOKEN = { authorization: '' }
const notify = { title: 'Done', body: 'All tests pass.' }

/** What is sent, and what must come back. */
export type Row = {
  name: string
  body: unknown
  headers?: Record<string, string>
  status: number
  code?: number
  has?: object
}

/** A row for each line of what a server without state answers. */
export const ROWS: Row[] = [
  {
    name: 'a foreign Origin',
    body: rpc('ping'),
    headers: { origin: 'http://evil.example', host: 'evil.example' },
    status: 403,
    code: 403,
  },
  {
    name: 'an Origin of null',
    body: rpc('ping'),
    headers: { origin: 'null' },
    status: 403,
    code: 403,
  },
  {
    name: 'our own Origin',
    body: rpc('ping'),
    headers: { origin: 'http://localhost:8484' },
    status: 200,
    has: { result: {} },
  },
  {
    name: 'an allowed Origin',
    body: rpc('ping'),
    headers: { origin: 'https://friend.example' },
    status: 200,
  },
  { name: 'no JSON', body: '{"jsonrpc":', status: 400, code: -32700 },
  {
    name: 'no UTF-8 JSON type',
    body: rpc('ping'),
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 415,
  },
  { name: 'an array', body: [rpc('ping')], status: 400, code: -32600 },
  { name: 'a text', body: '"ping"', status: 400, code: -32600 },
  { name: 'no JSON-RPC version', body: { id: 1, method: 'ping' }, status: 400, code: -32600 },
  { name: 'an id of null', body: { ...rpc('ping'), id: null }, status: 400, code: -32600 },
  { name: 'an id that is an object', body: { ...rpc('ping'), id: {} }, status: 400, code: -32600 },
  {
    name: 'a method that is no text',
    body: { ...rpc('ping'), method: 5 },
    status: 400,
    code: -32600,
  },
  { name: 'a response of the client', body: { jsonrpc: '2.0', id: 1, result: {} }, status: 202 },
  {
    name: 'a notification',
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    status: 202,
  },
  {
    name: 'a session id from elsewhere',
    body: rpc('ping'),
    headers: { 'mcp-session-id': 'x', 'last-event-id': '5' },
    status: 200,
    has: { id: 1, result: {} },
  },
  {
    name: 'a modern header without its meta',
    body: rpc('tools/list'),
    headers: { 'mcp-protocol-version': MODERN },
    status: 400,
    code: -32602,
  },
  { name: 'headers that are missing', body: modern('tools/list'), status: 400, code: -32020 },
  {
    name: 'a version that is not spoken',
    body: modern('tools/list', {}, { [V]: '2099-01-01' }),
    headers: { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2099-01-01' },
    status: 400,
    code: -32022,
  },
  {
    name: 'an unknown method, modern',
    body: modern('resources/list'),
    headers: modernHeaders('resources/list'),
    status: 404,
    code: -32601,
  },
  {
    name: 'initialize with modern meta',
    body: modern('initialize'),
    headers: modernHeaders('initialize'),
    status: 404,
    code: -32601,
  },
  {
    name: 'ping with modern meta',
    body: modern('ping'),
    headers: modernHeaders('ping'),
    status: 404,
    code: -32601,
  },
  { name: 'an unknown method, old', body: rpc('server/discover'), status: 200, code: -32601 },
  { name: 'an unknown tool, old', body: toolCall('nothing', {}), status: 200, code: -32602 },
  {
    name: 'an unknown tool, modern',
    body: modern('tools/call', { name: 'nothing' }),
    headers: modernHeaders('tools/call', 'nothing'),
    status: 200,
    code: -32602,
  },
  { name: 'params that are an array', body: rpc('tools/call', []), status: 200, code: -32602 },
  {
    name: 'a tool name that is no text',
    body: rpc('tools/call', { name: 5 }),
    status: 200,
    code: -32602,
  },
  {
    name: 'arguments that are a text',
    body: toolCall('send_notification', 'x'),
    status: 200,
    code: -32602,
  },
  {
    name: 'wrong arguments, old',
    body: toolCall('send_notification', {}),
    status: 200,
    has: { result: { isError: true } },
  },
  {
    name: 'wrong arguments, modern',
    body: modern('tools/call', { name: 'send_notification', arguments: {} }),
    headers: modernHeaders('tools/call', 'send_notification'),
    status: 200,
    has: { result: { isError: true, resultType: 'complete' } },
  },
  {
    name: 'a call without a token, old',
    body: toolCall('send_notification', notify),
    headers: NO_TOKEN,
    status: 401,
    code: 401,
  },
  {
    name: 'a call without a token, modern',
    body: modern('tools/call', { name: 'send_notification', arguments: notify }),
    headers: { ...modernHeaders('tools/call', 'send_notification'), ...NO_TOKEN },
    status: 401,
    code: 401,
  },
  {
    name: 'a call with a wrong token',
    body: toolCall('send_notification', notify),
    headers: { authorization: 'Bearer bk_wrong' },
    status: 401,
    code: 401,
  },
  {
    name: 'initialize without a token',
    body: rpc('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }),
    headers: NO_TOKEN,
    status: 200,
    has: { result: { protocolVersion: '2025-11-25' } },
  },
  {
    name: 'initialize that is not complete',
    body: rpc('initialize', { protocolVersion: 5, _meta: 7 }),
    status: 200,
    code: -32602,
  },
  {
    name: 'tools/list without a token',
    body: rpc('tools/list'),
    headers: NO_TOKEN,
    status: 200,
    has: { result: {} },
  },
  {
    name: 'tools/list without a token, modern',
    body: modern('tools/list'),
    headers: { ...modernHeaders('tools/list'), ...NO_TOKEN },
    status: 200,
    has: { result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' } },
  },
  {
    name: 'discover without a token',
    body: modern('server/discover'),
    headers: { ...modernHeaders('server/discover'), ...NO_TOKEN },
    status: 200,
    has: { result: { supportedVersions: [MODERN], capabilities: { tools: {} } } },
  },
  {
    name: 'ping without a token',
    body: rpc('ping'),
    headers: NO_TOKEN,
    status: 200,
    has: { result: {} },
  },
]
