import { expect, test } from 'bun:test'
import { factValue } from '../../../src/catalog/facts/facts.ts'
import { MCP_PROBE } from '../../../src/catalog/facts/mcp-tools/fact.tsx'
import { createPoliteFetch } from '../../../src/catalog/probing/polite-fetch.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { fingerprintOf } from '../../../src/platform/mcp/tool-fingerprint.ts'
import { playMcp, type VendorServer, vendorServer } from '../../support/vendor-server.ts'
import { quickFetch, toolAt } from './probe-world.ts'

const MCP = { kind: 'mcp', transports: ['streamable-http'] }
const JSON_TYPE = { 'content-type': 'application/json' }
const EVENTS = { 'content-type': 'text/event-stream' }

async function probeTools(vendor: VendorServer) {
  const outside = createPoliteFetch({
    ...{ fetch: quickFetch(), clock: systemClock, baseUrl: () => 'https://b.example', pauseMs: 1 },
  })
  const tool = toolAt('it', `${vendor.origin}/mcp`, MCP)
  const subject = { tool, vendor: undefined, memories: new Map() }
  expect(MCP_PROBE.appliesTo(subject)).toBe(true)
  const { facts } = await MCP_PROBE.run(outside, subject, 0)
  const [fact] = facts
  return fact && factValue('mcpTools', fact.value)
}

test('tools are listed page by page, up to a bound that is said', async () => {
  await using vendor = await vendorServer()
  const tools = Array.from({ length: 450 }, (_, i) => ({ name: `tool-${i}`, description: 'x' }))
  vendor.on('/mcp', playMcp(tools, 90))
  const fact = await probeTools(vendor)
  expect(fact?.tools).toHaveLength(200)
  expect(fact?.count).toBe(450)
  expect(fact?.note).toBe('Only the first 200 of its tools are listed here.')
  const lists = vendor.requests.filter(({ body }) => body.includes('tools/list'))
  expect(lists).toHaveLength(5)
  expect(lists[0]?.headers['mcp-protocol-version']).toBe('2025-11-25')
})

test('a list that was not read to its end has no number of tools', async () => {
  await using vendor = await vendorServer()
  const tools = Array.from({ length: 30 }, (_, i) => ({ name: `tool-${i}` }))
  vendor.on('/mcp', playMcp(tools, 1))
  const cut = await probeTools(vendor)
  expect([cut?.count, cut?.tools?.length]).toEqual([undefined, 10])
  const play = playMcp(tools, 10)
  vendor.on('/mcp', async (request) => {
    if (request.body.includes('cursor')) return { status: 500 }
    return typeof play === 'function' ? await play(request) : play
  })
  const broken = await probeTools(vendor)
  expect([broken?.status, broken?.count, broken?.tools?.length]).toEqual(['ok', undefined, 10])
})

test('an answer without a list of tools is not a server without tools', async () => {
  await using vendor = await vendorServer()
  vendor.on('/mcp', playMcp([]))
  expect(await probeTools(vendor)).toMatchObject({ status: 'ok', count: 0, tools: [] })
  vendor.on('/mcp', ({ body }) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { x: 1 }
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ jsonrpc: '2.0', id, result }) }
  })
  const fact = await probeTools(vendor)
  expect(fact).toMatchObject({ status: 'error', protocol: '2025-11-25' })
  expect([fact?.count, fact?.tools]).toEqual([undefined, undefined])
})

test('a session is kept, and ended', async () => {
  await using vendor = await vendorServer()
  const play = playMcp([{ name: 'a' }])
  vendor.on('/mcp', async (request) => {
    if (request.method === 'DELETE') return { status: 204 }
    const isFirst = request.body.includes('initialize"')
    if (!isFirst && request.headers['mcp-session-id'] !== 's1') return { status: 404 }
    const answer = typeof play === 'function' ? await play(request) : play
    if (typeof answer !== 'object' || 'ends' in answer) return answer
    const headers = { ...answer.headers, ...(isFirst ? { 'mcp-session-id': 's1' } : {}) }
    return { ...answer, headers }
  })
  expect(await probeTools(vendor)).toMatchObject({ status: 'ok', tools: [{ name: 'a' }] })
  expect(vendor.requests.at(-1)).toMatchObject({ method: 'DELETE' })
})

test('answers may come as events, among others', async () => {
  await using vendor = await vendorServer()
  vendor.on('/mcp', ({ body }) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    const result =
      method === 'initialize' ? { protocolVersion: '2025-06-18' } : { tools: [{ name: 'e' }] }
    const own = JSON.stringify({ jsonrpc: '2.0', id, result })
    const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
    if (id === undefined) return { status: 202 }
    return {
      status: 200,
      headers: EVENTS,
      body: `: hello\r\n\r\nevent: message\r\ndata: ${log}\r\n\r\nid: 7\r\ndata: ${own}\r\n\r\n`,
    }
  })
  expect(await probeTools(vendor)).toMatchObject({
    ...{ url: `${vendor.origin}/mcp`, status: 'ok', protocol: '2025-06-18', count: 1 },
    tools: [{ name: 'e', hash: fingerprintOf(`${vendor.origin}/mcp`, { name: 'e' }) }],
  })
})

test('a server of the era without initialize is asked in its own words', async () => {
  await using vendor = await vendorServer()
  vendor.on('/mcp', ({ body, headers }) => {
    const { id, method, params } = JSON.parse(body) as {
      id: number
      method: string
      params: object
    }
    const isModern = JSON.stringify(params).includes(
      '"io.modelcontextprotocol/protocolVersion":"2026',
    )
    const says = (status: number, what: object) => ({
      ...{ status, headers: JSON_TYPE, body: JSON.stringify({ jsonrpc: '2.0', id, ...what }) },
    })
    if (method !== 'tools/list' || !isModern || headers['mcp-method'] !== 'tools/list') {
      return says(404, { error: { code: -32601, message: 'Method not found' } })
    }
    return says(200, { result: { resultType: 'complete', tools: [{ name: 'm' }] } })
  })
  expect(await probeTools(vendor)).toMatchObject({
    ...{ status: 'ok', protocol: '2026-07-28', tools: [{ name: 'm' }] },
  })
})

test('what a tool says of itself is short, on one line where it is a name, and moves no cursor', async () => {
  await using vendor = await vendorServer()
  const nasty = `\u001b[2J${'x'.repeat(500)}\u202e`
  const tools = [
    { name: `a\n${nasty}`, description: nasty },
    { name: 7 },
    null,
    { name: ' ' },
    { name: 'b', description: { a: 1 } },
  ]
  vendor.on('/mcp', playMcp(tools as object[]))
  const fact = await probeTools(vendor)
  expect(fact?.tools?.map(({ name }) => name)).toEqual([expect.stringMatching(/^a \[2Jx+$/), 'b'])
  expect(fact?.tools?.[0]?.description?.length).toBeLessThanOrEqual(300)
  expect(JSON.stringify(fact)).not.toMatch(/\\u001b|\u202e/)
})

test('a cursor that leads in a circle is followed once', async () => {
  await using vendor = await vendorServer()
  vendor.on('/mcp', ({ body }) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string }
    const result =
      method === 'initialize'
        ? { protocolVersion: '1' }
        : { tools: [{ name: 'x' }], nextCursor: 'c' }
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify({ jsonrpc: '2.0', id, result }) }
  })
  expect((await probeTools(vendor))?.tools).toHaveLength(2)
})

const BROKEN: Record<string, [Parameters<VendorServer['on']>[1], unknown]> = {
  'asks for credentials': [{ status: 401 }, { status: 'auth' }],
  'asks for payment': [{ status: 402 }, { status: 'auth' }],
  'answers with a page': [
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' },
    { status: 'error', note: 'It does not answer with MCP.' },
  ],
  'answers with half a message': [
    { status: 200, headers: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"result":{' },
    { status: 'error' },
  ],
  'answers with a gigantic message': [
    {
      status: 200,
      headers: JSON_TYPE,
      body: `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(2e6)}"}`,
    },
    { status: 'error', note: 'Its answer is longer than 1 MiB.' },
  ],
  'answers with events for ever': ['events', { status: 'error' }],
  'answers with a body for ever': [{ status: 200, ends: 'never' }, { status: 'error' }],
  'takes GET alone': [{ status: 405 }, { status: 'error' }],
  'names no version': [
    { status: 200, headers: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"result":{}}' },
    { status: 'error', note: 'Its answer to initialize names no protocol version.' },
  ],
  'leads into a private network': [
    { status: 307, headers: { location: 'http://192.168.0.1/mcp' } },
    undefined,
  ],
  'has trouble': [{ status: 500 }, undefined],
  'says nothing': ['hang', undefined],
  'breaks off': ['reset', undefined],
}

for (const [name, [answer, expected]] of Object.entries(BROKEN)) {
  test(`an endpoint that ${name} is told as what it is, or leaves what was known`, async () => {
    await using vendor = await vendorServer()
    vendor.on('/mcp', answer)
    const fact = await probeTools(vendor)
    if (expected === undefined) expect(fact).toBeUndefined()
    else expect(fact).toMatchObject({ url: `${vendor.origin}/mcp`, ...(expected as object) })
  })
}
