import { expect, test } from 'bun:test'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  createClientNames,
  forgetClientNames,
} from '../../../src/ask/accounts/model/client-names.ts'
import { readSetting } from '../../../src/platform/db/settings-store.ts'
import { type McpWorld, mcpWorld, rpc, TOKEN, toolCall } from '../../support/mcp-world.ts'
import { onSqlite } from '../../support/on-sqlite.ts'
import { newest } from '../../support/result-acts.ts'
import { spoilPages } from '../../support/spoil-pages.ts'

let asks = 0
// An identical question would join the one that is open.
const ASK = {
  name: 'ask_user',
  get arguments() {
    return { question: `Go ${asks++}?`, wait: false }
  },
}
const TOKEN_NAME = 'test'

type Speaker = { callTool(params: typeof ASK): Promise<unknown>; close(): Promise<void> }

function headersOf(userAgent: string | undefined) {
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent }
  return { requestInit: { headers: { Authorization: `Bearer ${TOKEN}`, ...headers } } }
}

async function oldClient({ url }: McpWorld, name: string, userAgent?: string): Promise<Speaker> {
  const client = new Client({ name, version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(url), headersOf(userAgent))
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client as unknown as Speaker
}

async function modernClient({ url }: McpWorld, name: string): Promise<Speaker> {
  const versionNegotiation = { mode: { pin: '2026-07-28' } }
  const client = new ModernClient({ name, version: '1.0.0' }, { versionNegotiation })
  await client.connect(new ModernTransport(new URL(url), headersOf(undefined)))
  return client as unknown as Speaker
}

async function nameThatAsks(here: McpWorld, client: Speaker) {
  // What was asked last is what has the latest time.
  await here.world.clock.advance(1)
  await client.callTool(ASK)
  return (await newest(here.world)).agentName
}

function handshake(name: unknown, more: object = {}) {
  const clientInfo = { name, version: '1', ...more }
  return rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
}

/** What a call is shown as that follows with the same `User-Agent`. */
async function afterHandshake(here: McpWorld, body: object, headers: Record<string, string> = {}) {
  const node = { 'user-agent': 'node' }
  expect((await here.reply(body, { ...node, ...headers })).status).toBe(200)
  await here.reply(toolCall(ASK.name, ASK.arguments), node)
  return (await newest(here.world)).agentName
}

test.each([
  ['2025-11-25', oldClient],
  ['2026-07-28', modernClient],
] as const)('the official client of %s is called what it calls itself', async (_, connect) => {
  await using here = await mcpWorld()
  const client = await connect(here, 'gemini-cli-mcp-client')
  expect(await nameThatAsks(here, client)).toBe('gemini-cli-mcp-client')
  await here.world.clock.advance(1)
  await client.callTool({ ...ASK, arguments: { ...ASK.arguments, agentName: 'Mine' } as never })
  expect((await newest(here.world)).agentName).toBe('Mine')
  await client.close()
})

test('a token that two clients use at once names neither where calls cannot be told apart', async () => {
  await using here = await mcpWorld()
  const one = await oldClient(here, 'one')
  expect(await nameThatAsks(here, one)).toBe('one')
  const two = await oldClient(here, 'two')
  expect(await nameThatAsks(here, two)).toBe(TOKEN_NAME)
  expect(await nameThatAsks(here, one)).toBe(TOKEN_NAME)
  const apart = await oldClient(here, 'three', 'opencode/1.18.33')
  expect(await nameThatAsks(here, apart)).toBe('three')
  for (const client of [one, two, apart]) await client.close()
})

test('a restart mixes up nobody', async () => {
  await using here = await mcpWorld()
  const { deps, clock } = here.world
  const by = { tokenId: 'key_1', product: 'node' } as const
  {
    using before = createClientNames(deps)
    await before.greeted(by, 'one')
    await before.greeted(by, 'two')
  }
  using after = createClientNames(deps)
  await after.greeted(by, 'two')
  expect(await after.of(by)).toBe('several')
  expect(await after.of({ ...by, tokenId: 'key_2' })).toBeUndefined()
  await clock.advance(4 * 24 * 60 * 60_000)
  await after.greeted(by, 'two')
  await clock.advance(4 * 24 * 60 * 60_000)
  expect(await after.of(by)).toEqual({ one: 'two' })
})

test('a hundred clients at once are several', async () => {
  await using here = await mcpWorld()
  using names = createClientNames(here.world.deps)
  const by = { tokenId: 'key_1', product: 'node' } as const
  await Promise.all(Array.from({ length: 100 }, (_, i) => names.greeted(by, `client ${i % 2}`)))
  expect(await names.of(by)).toBe('several')
})

test('a handshake without the right token is remembered for nobody', async () => {
  await using here = await mcpWorld()
  expect(await afterHandshake(here, handshake('one'), { authorization: '' })).toBe(TOKEN_NAME)
  const wrong = { authorization: 'Bearer bk_wrong' }
  expect(await afterHandshake(here, handshake('one'), wrong)).toBe(TOKEN_NAME)
})

test.each([
  ['a title before the name', handshake('one', { title: 'Number One' }), 'Number One'],
  ['an old client without a name', handshake(''), TOKEN_NAME],
  ['a name that is no text', handshake(7), TOKEN_NAME],
  ['one that steers a terminal', handshake('a\u001b[31m\u202eb\nc'), 'a[31mb c'],
  ['one of endless length', handshake('x'.repeat(10_000)), 'x'.repeat(100)],
  ['a name of the language', handshake('__proto__'), '__proto__'],
])('%s', async (_, body, name) => {
  await using here = await mcpWorld()
  expect(await afterHandshake(here, body)).toBe(name)
})

onSqlite('a storage that fails takes neither the handshake nor the call with it', async () => {
  await using here = await mcpWorld()
  spoilPages(here.world.db.place)
  const { json } = await here.reply(handshake('one'))
  expect(json).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  const reply = await here.reply(toolCall('cancel_question', { correlationId: 'q_1' }))
  expect(reply.json).toMatchObject({ result: { structuredContent: { status: 'unavailable' } } })
})

test('what a token remembers is bounded', async () => {
  await using here = await mcpWorld()
  const { deps, db } = here.world
  using names = createClientNames(deps)
  for (let i = 0; i < 50; i++) {
    await names.greeted({ tokenId: 'key_1', product: `p${i}` }, 'x'.repeat(100))
  }
  const clients = JSON.parse((await readSetting(db.read, 'client_names:key_1')) ?? '')
  expect(Object.keys(clients)).toEqual(Array.from({ length: 20 }, (_, i) => `p${30 + i}`))
  for (let i = 0; i < 50; i++) await names.greeted({ tokenId: 'key_1', product: 'q' }, `n${i}`)
  expect(await names.of({ tokenId: 'key_1', product: 'q' })).toBe('several')
  const last = JSON.parse((await readSetting(db.read, 'client_names:key_1')) ?? '').q
  expect(Object.keys(last)).toEqual(['n8', 'n9'])
  await db.write((tx) => forgetClientNames(tx, 'key_1'))
  expect(await readSetting(db.read, 'client_names:key_1')).toBeUndefined()
})
