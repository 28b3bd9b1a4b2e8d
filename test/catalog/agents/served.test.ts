import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { AGENTS_PATH } from '../../../src/catalog/agents/address.ts'
import { CATALOG_INSTRUCTIONS, CATALOG_TOOLS } from '../../../src/catalog/agents/endpoint.ts'
import { exampleCatalog } from '../../support/example-catalog.ts'
import { rpc, toolCall } from '../../support/mcp-world.ts'
import { type PublishedCatalog, publishedCatalog } from '../../support/published-catalog.ts'
import { CLIENTS, post, type Speaker, type ToolResult } from './agents-world.ts'

let world: PublishedCatalog
beforeAll(async () => {
  world = await publishedCatalog(await exampleCatalog())
})
afterAll(() => world[Symbol.asyncDispose]())

type Search = { total: number; said: string; tools: Array<{ slug: string; x402: string }> }

describe.each(CLIENTS)('%s', (_, connect) => {
  let client: Speaker
  beforeAll(async () => {
    client = await connect(world.url)
  })
  afterAll(() => client.close())

  test('lists three tools that only read, and reads what they are for', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'get_tool', 'list_changes'])
    for (const tool of tools) {
      expect(tool).toMatchObject({
        annotations: { readOnlyHint: true, destructiveHint: false },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      })
    }
    expect(client.getInstructions()).toBe(CATALOG_INSTRUCTIONS)
    expect(CATALOG_INSTRUCTIONS.length).toBeLessThanOrEqual(512)
  })

  // Both clients hold a result against the schema of its tool, and throw where it does not fit.
  test('searches, reads what it found, and looks what changes', async () => {
    const search = await client.callTool({ name: 'search_tools', arguments: { query: 'send sms' } })
    const { tools, total } = search.structuredContent as Search
    expect(total).toBeGreaterThan(0)
    const [first] = tools
    const read = await client.callTool({ name: 'get_tool', arguments: { slug: first?.slug } })
    expect(read.structuredContent).toMatchObject({ tool: { slug: first?.slug } })
    const parts = ['grade', 'prices', 'changes']
    const more = await client.callTool({
      ...{ name: 'get_tool', arguments: { slug: first?.slug, parts } },
    })
    expect(more.structuredContent).toMatchObject({ parts: parts.map((part) => ({ part })) })
    const changes = await client.callTool({ name: 'list_changes', arguments: {} })
    expect(changes.structuredContent).toMatchObject({ total: world.snapshot.changes.length })
    for (const { content, structuredContent } of [search, read, more, changes]) {
      expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent)
    }
  })

  test('wrong arguments come back as text that names each field', async () => {
    const result = await client.callTool({
      name: 'search_tools',
      arguments: { query: 7, limit: 500, colour: 'red' },
    })
    expect(result.isError).toBe(true)
    for (const name of ['query must be a string', 'limit must be at most 20', 'colour is not']) {
      expect(result.content[0]?.text).toContain(name)
    }
    const unknown = await client.callTool({ name: 'get_tool', arguments: { slug: 'twillio' } })
    expect(unknown).toMatchObject({ isError: true })
    expect(unknown.content[0]?.text).toContain('There is no tool "twillio".')
  })
})

test('how much a model reads to find a messaging API that takes x402', async () => {
  const [, connect] = CLIENTS[0] ?? []
  const client = await connect?.(world.url)
  if (!client) throw new Error('no client')
  const text = ({ content }: ToolResult) => content[0]?.text ?? ''
  const { tools } = await client.listTools()
  const search = await client.callTool({
    name: 'search_tools',
    arguments: { query: 'find me a messaging API that takes x402' },
  })
  const { tools: hits } = search.structuredContent as Search
  expect(hits.length).toBeGreaterThan(0)
  expect(hits[0]?.x402).not.toBe('no')
  const slug = hits[0]?.slug
  const read = await client.callTool({ name: 'get_tool', arguments: { slug } })
  const sizes = {
    list: countTokens(JSON.stringify(tools)),
    search: countTokens(text(search)),
    get: countTokens(text(read)),
  }
  expect(sizes.list).toBeLessThan(2_500)
  expect(sizes.search).toBeLessThanOrEqual(1_500)
  expect(sizes.get).toBeLessThanOrEqual(600)
  await client.close()
})

test('no credentials are asked for, and any are ignored', async () => {
  for (const headers of [{}, { authorization: 'Bearer bk_nobody' }] as Record<string, string>[]) {
    const response = await post(world.url, toolCall('search_tools', {}), headers)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ result: { structuredContent: { total: 73 } } })
  }
})

test('pages of other sites may not call, and there is nothing to get', async () => {
  const foreign = { origin: 'https://evil.example' }
  expect((await post(world.url, rpc('tools/list'), foreign)).status).toBe(403)
  const rebound = { origin: 'http://evil.example:80', host: 'evil.example:80' }
  expect((await post(world.url, rpc('tools/list'), rebound)).status).toBe(403)
  const own = { origin: world.url }
  expect((await post(world.url, rpc('tools/list'), own)).status).toBe(200)
  for (const method of ['GET', 'DELETE']) {
    expect((await world.get(AGENTS_PATH, { method })).status).toBe(405)
  }
  const rows: Array<[body: unknown, status: number]> = [
    ['{', 400],
    [[rpc('ping')], 400],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
    [toolCall('no_such_tool', {}), 200],
    [toolCall('get_tool', []), 200],
  ]
  for (const [body, status] of rows) expect((await post(world.url, body)).status).toBe(status)
})

test('an address asks so often and no more, and a model is told in a result', async () => {
  await using limited = await publishedCatalog(undefined, {})
  const calls = Array.from({ length: 200 }, () => post(limited.url, toolCall('search_tools', {})))
  const answers = await Promise.all(calls)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const slowed = answers.find(({ headers }) => headers.has('retry-after'))
  expect(await slowed?.json()).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('Too many requests') }] },
  })
  // Who has no calls left can still connect and see the tools.
  for (const [, connect] of CLIENTS) {
    const client = await connect(limited.url)
    expect((await client.listTools()).tools).toHaveLength(CATALOG_TOOLS.length)
    await client.close()
  }
  const pings = await Promise.all(Array.from({ length: 200 }, () => post(limited.url, rpc('ping'))))
  expect(pings.every(({ status }) => status === 200)).toBe(true)
})

test('an empty catalog says that nothing is there', async () => {
  await using empty = await publishedCatalog()
  const readResult = async (name: string) =>
    (await (await post(empty.url, toolCall(name, {}))).json()).result.structuredContent
  expect(await readResult('search_tools')).toMatchObject({
    said: 'Nothing found.',
    total: 0,
    tools: [],
  })
  expect(await readResult('list_changes')).toMatchObject({ said: 'Nothing found.', changes: [] })
})
