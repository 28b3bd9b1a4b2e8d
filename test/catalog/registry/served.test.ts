import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { REGISTRY_PARAMETERS } from '../../../src/catalog/records/registry-documents.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { type FeedWorld, feedWorld } from '../feeds/feed-world.ts'
import { heldToRegistry, REGISTRY_NAMES } from './registry-api.ts'

const LIST = '/v0.1/servers'
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const OURS = 'example.catalog/catalog'

type Entry = {
  server: { name: string; version: string; description: string } & Record<string, unknown>
  _meta: Record<string, Record<string, unknown>>
}
type List = { servers: Entry[]; metadata: { count: number; nextCursor?: string } }

/** Sixty records, ten of which are MCP servers; one has a name in the official registry. */
function source(): CatalogSource {
  const generated = generatedCatalog(60)
  const [first, second] = generated.tools.filter(({ kind }) => kind === 'mcp')
  if (!first || !second) throw new Error('no servers')
  const tools = generated.tools.map((tool) => {
    if (tool === first) return { ...tool, registryName: 'com.vendor-0/mail.server' }
    if (tool !== second) return tool
    const packages = [
      { registry: 'npm', name: '@vendor/mcp' },
      { registry: 'go', name: 'vendor.example/mcp' },
    ]
    return { ...tool, packages, transports: ['stdio', 'streamable-http'] }
  })
  const change = {
    ...{ id: 'ends-2', date: '2027-01-31', kind: 'shutdown', tool: second.slug },
    ...{ what: 'The server ends.', source: 'https://vendor.example/end' },
  }
  const others = generated.changes.filter(({ tool }) => tool !== first.slug && tool !== second.slug)
  return { ...generated, tools, changes: [...others, change] }
}

let world: FeedWorld
let all: Entry[]
const entryOf = (slug: string) => {
  const entry = all.find(({ _meta }) => _meta[OURS]?.slug === slug)
  if (!entry) throw new Error(`no server of ${slug}`)
  return entry
}
const servers = source().tools.filter(({ kind }) => kind === 'mcp')
const [mail, ending] = servers
const get = async (path: string) => (await heldToRegistry(path, await world.get(path))) as List

beforeAll(async () => {
  world = await feedWorld()
  await world.publish(source())
  all = (await get(LIST)).servers
})
afterAll(() => world[Symbol.asyncDispose]())

test('without parameters all servers are there, and nothing else', () => {
  expect(servers.length).toBeGreaterThan(8)
  expect(all.map(({ _meta }) => _meta[OURS]?.slug).sort()).toEqual(
    servers.map(({ slug }) => slug).sort(),
  )
  const names = all.map(({ server }) => server.name)
  expect(names).toEqual([...names].sort())
})

test('a server has its own name, or else one in the namespace of the catalog', () => {
  expect(entryOf(mail?.slug ?? '').server.name).toBe('com.vendor-0/mail.server')
  expect(entryOf(ending?.slug ?? '').server.name).toBe(`example.catalog/${ending?.slug}`)
})

test('what is said of a server is what the record says', () => {
  expect(entryOf(mail?.slug ?? '')).toMatchObject({
    server: { version: '0.0.0-unknown', remotes: [{ type: 'streamable-http' }] },
    _meta: {
      [OFFICIAL]: { status: 'active', isLatest: true, updatedAt: '2026-11-21T12:00:00.000Z' },
      [OURS]: { slug: mail?.slug, url: `https://catalog.example/tools/${mail?.slug}` },
    },
  })
  expect(entryOf(ending?.slug ?? '')).toMatchObject({
    server: {
      packages: [{ registryType: 'npm', identifier: '@vendor/mcp', transport: { type: 'stdio' } }],
    },
    _meta: {
      [OFFICIAL]: {
        status: 'deprecated',
        statusMessage: 'Shuts down on 2027-01-31: The server ends.',
      },
    },
  })
  // When it was first published nobody here knows.
  for (const { _meta } of all) expect(_meta[OFFICIAL]).not.toHaveProperty('publishedAt')
})

test('the grade is the one of the record', async () => {
  for (const { _meta } of all) {
    const { slug, ...meta } = _meta[OURS] ?? {}
    const { tool } = await world.json<{ tool: Record<string, Record<string, unknown>> }>(
      `/api/v1/tools/${slug}.json`,
    )
    const { grade, score, agentReady, rank, methodology } = tool.catalog ?? {}
    expect(meta).toMatchObject({ grade, score, agentReady, rank, methodology })
  }
})

test('versions of each server, by all ways to write its name', async () => {
  for (const entry of all) {
    const { name, version } = entry.server
    const path = `${LIST}/${encodeURIComponent(name)}/versions`
    expect((await get(path)).servers).toEqual([entry])
    for (const one of ['latest', version]) {
      expect(await heldToRegistry(`${path}/${one}`, await world.get(`${path}/${one}`))).toEqual(
        entry,
      )
    }
    const lower = path.replace('%2F', '%2f').replace('versions', '%76ersions')
    expect((await world.get(lower)).status).toBe(200)
  }
})

test.each([1, 3, 100])('a walk in pages of %i misses and repeats nothing', async (limit) => {
  const walked: Entry[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: `${limit}`, ...(cursor ? { cursor } : {}) })
    const { servers: page, metadata } = await get(`${LIST}?${query}`)
    expect(metadata.count).toBe(page.length)
    expect(page.length).toBeLessThanOrEqual(limit)
    walked.push(...page)
    cursor = metadata.nextCursor
  } while (cursor)
  expect(walked).toEqual(all)
})

test('a walk goes on where it was when something was published meanwhile', async () => {
  await using other = await feedWorld()
  await other.publish(source())
  const { metadata } = await other.json<List>(`${LIST}?limit=2`)
  const [gone] = (await other.json<List>(LIST)).servers
  const slug = gone?._meta[OURS]?.slug
  const next = source()
  await other.publish({
    ...next,
    tools: next.tools.filter((tool) => tool.slug !== slug),
    changes: next.changes.filter(({ tool }) => tool !== slug),
    reviews: next.reviews.filter(({ tool }) => tool !== slug),
    removed: [...next.removed, { slug: `${slug}`, date: '2026-11-20', reason: 'Gone.' }],
  })
  const rest = await other.json<List>(`${LIST}?cursor=${metadata.nextCursor}`)
  expect(rest.servers.map(({ server }) => server.name)).toEqual(
    all.slice(2).map(({ server }) => server.name),
  )
})

test('a search looks into names and descriptions, whatever their capitals', async () => {
  const names = async (query: string) =>
    (await get(`${LIST}?${query}`)).servers.map(({ server }) => server.name)
  expect(await names('search=MAIL.server')).toEqual(['com.vendor-0/mail.server'])
  expect(await names('search=nothing-like-this')).toEqual([])
  const { description } = all[3]?.server ?? {}
  expect(await names(`search=${encodeURIComponent(`${description}`)}`)).toContain(
    `${all[3]?.server.name}`,
  )
  expect(await names('version=latest&limit=100')).toHaveLength(all.length)
  expect(await names('version=9.9.9')).toEqual([])
  expect(await names('version=0.0.0-unknown&limit=100')).toHaveLength(all.length)
})

test('what changed since an instant, to the millisecond and in any zone', async () => {
  await using other = await feedWorld()
  await other.publish(source())
  other.pass(1)
  const next = source()
  const changed = next.tools.map((tool) =>
    tool.slug === mail?.slug ? { ...tool, summary: 'Sends mail in another way.' } : tool,
  )
  await other.publish({ ...next, tools: changed })
  const since = async (instant: string) => {
    const path = `${LIST}?limit=100&updated_since=${instant}`
    return ((await heldToRegistry(path, await other.get(path))) as List).servers.length
  }
  expect(await since('2026-11-21T12:00:00Z')).toBe(all.length)
  expect(await since('2026-11-21T12:00:00.001Z')).toBe(1)
  expect(await since('2026-11-22T13:00:00%2B01:00')).toBe(1)
  // Many forget to encode the plus sign.
  expect(await since('2026-11-22T13:00:00+01:00')).toBe(1)
  expect(await since('2026-11-22T12:00:00.001z')).toBe(0)
})

test('what cannot be is refused in the words of the registry and of the catalog', async () => {
  const rows: Array<[query: string, parameter: string]> = [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=%21%21', 'cursor'],
    ['updated_since=yesterday', 'updated_since'],
    ['updated_since=2026-13-41T00:00:00Z', 'updated_since'],
    ['include_deleted=perhaps', 'include_deleted'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ]
  for (const [query, parameter] of rows) {
    const response = await world.get(`${LIST}?${query}`)
    expect([query, response.status]).toEqual([query, 400])
    expect(response.headers.get('content-type')).toBe('application/json')
    const { error, ...rest } = (await response.json()) as Record<string, unknown>
    expect(rest).toMatchObject({ code: 'invalid_parameter', parameter, detail: error })
  }
  for (const path of [
    `${LIST}/com.nobody%2Fnothing/versions`,
    `${LIST}/com.nobody%2Fnothing/versions/latest`,
    `${LIST}/com.vendor-0%2Fmail.server/versions/1.2.3`,
    `${LIST}/%E0%A4%A/versions`,
    `${LIST}/..%2F..%2Fetc/versions`,
  ]) {
    const body = await heldToRegistry(path, await world.get(path))
    expect(body).toMatchObject({ status: 404, code: 'not_found', error: expect.any(String) })
  }
  const posted = await world.get(LIST, {}, 'POST')
  expect(posted.status).toBe(405)
  expect(await posted.json()).toMatchObject({ error: expect.stringContaining('read-only') })
})

test('every parameter of the registry is taken, and others are let be', async () => {
  expect(Object.keys(REGISTRY_PARAMETERS).sort()).toEqual([...REGISTRY_NAMES].sort())
  expect((await get(`${LIST}?limit=100&include_deleted=true&other=1`)).servers).toEqual(all)
  const path = `${LIST}/com.vendor-0%2Fmail.server/versions/latest?include_deleted=true`
  expect((await world.get(path)).status).toBe(200)
})

test('documents are kept, compressed and open to pages as every feed is', async () => {
  for (const path of [LIST, `${LIST}?limit=2`, `${LIST}/com.vendor-0%2Fmail.server/versions`]) {
    const response = await world.get(path, { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const etag = response.headers.get('etag') ?? ''
    const again = await world.get(path, { 'accept-encoding': 'gzip', 'if-none-match': etag })
    expect([path, again.status]).toEqual([path, 304])
    const head = await world.get(path, {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
})

test('an address asks so often and no more', async () => {
  await using limited = await feedWorld({ limited: true })
  await limited.publish(generatedCatalog(2))
  const from = (address: string) => limited.get(`${LIST}?limit=1`, { 'x-from': address })
  const answers = await Promise.all(Array.from({ length: 125 }, () => from('192.0.2.7')))
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused?.json()).toMatchObject({ code: 'rate_limited', error: expect.any(String) })
  expect((await from('192.0.2.8')).status).toBe(200)
})
