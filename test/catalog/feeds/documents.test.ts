import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import {
  ChangesDocument,
  PartOfToolsDocument,
  SlimToolsDocument,
  ToolDocument,
  ToolsDocument,
  X402Document,
} from '../../../src/catalog/records/documents.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { bytesOf, DECODE, type FeedWorld, feedWorld } from './feed-world.ts'

const DOCUMENTS = [
  '/api/v1/index.json',
  '/api/v1/tools.json',
  '/api/v1/tools/tool-0001.json',
  '/tools/tool-0001.json',
  '/api/v1/x402.json',
  '/api/v1/changes.json',
  '/api/v1/live.json',
  '/api/v1/categories.json',
  '/api/v1/capabilities.json',
  '/api/v1/methodology.json',
]

const source = generatedCatalog(60)
let world: FeedWorld
beforeAll(async () => {
  world = await feedWorld()
  await world.publish(source)
})
afterAll(() => world[Symbol.asyncDispose]())

for (const path of DOCUMENTS) {
  // spec: CF-META, CF-VER-1, CF-READ
  test(`${path} is JSON for everybody, with its meta`, async () => {
    const response = await world.get(path)
    expect(response.status).toBe(200)
    const { headers } = response
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('cache-control')).toBe(
      'public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400',
    )
    const body = (await response.json()) as { meta: Record<string, unknown> }
    expect(body.meta).toMatchObject({ license: 'CC-BY-4.0', generatedAt: '2026-11-21' })
  })

  test(`${path} is the same bytes in each coding, each under its own ETag`, async () => {
    const plain = await bytesOf(await world.get(path, { 'accept-encoding': 'identity' }))
    const etags = new Set<string | null>()
    for (const [coding, decode] of Object.entries(DECODE)) {
      const response = await world.get(path, { 'accept-encoding': coding })
      const encoding = response.headers.get('content-encoding') ?? 'identity'
      etags.add(response.headers.get('etag'))
      expect([coding, encoding, decode(await bytesOf(response))]).toEqual([coding, coding, plain])
    }
    expect(etags.size).toBe(4)
    for (const etag of etags) expect(etag).toMatch(/^"[\w-]+"$/)
  })

  test(`${path} answers HEAD as GET, without a body`, async () => {
    for (const coding of Object.keys(DECODE)) {
      const get = await world.get(path, { 'accept-encoding': coding })
      const head = await world.get(path, { 'accept-encoding': coding }, 'HEAD')
      expect(head.status).toBe(200)
      expect((await bytesOf(head)).length).toBe(0)
      const length = String((await bytesOf(get)).length)
      expect(head.headers.get('content-length')).toBe(length)
      for (const name of ['etag', 'content-type', 'content-encoding', 'vary', 'cache-control']) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
      }
    }
  })
}

test('a kept document is told apart from a changed one', async () => {
  for (const coding of Object.keys(DECODE)) {
    const headers = { 'accept-encoding': coding }
    const own = (await world.get('/api/v1/tools.json', headers)).headers.get('etag') as string
    const other = (await world.get('/api/v1/x402.json', headers)).headers.get('etag') as string
    const cases: Array<[string, number]> = [
      [own, 304],
      [`W/${own}`, 304],
      [`${other}, ${own}`, 304],
      [`"a,b" , W/"c", ${own}`, 304],
      ['*', 304],
      [other, 200],
      [own.slice(1, -1), 200],
      ['', 200],
      ['"', 200],
      [',,,', 200],
    ]
    for (const [tag, status] of cases) {
      for (const method of ['GET', 'HEAD']) {
        const conditions = { ...headers, 'if-none-match': tag }
        const response = await world.get('/api/v1/tools.json', conditions, method)
        await response.body?.cancel()
        expect([coding, tag, method, response.status]).toEqual([coding, tag, method, status])
        if (status !== 304) continue
        expect(response.headers.get('etag')).toBe(own)
        expect(response.headers.get('vary')).toBe('Accept-Encoding')
        expect(response.headers.get('cache-control')).toContain('max-age=300')
      }
    }
  }
})

test('the ETag of one coding does not keep another one', async () => {
  const gzip = await world.get('/api/v1/tools.json', { 'accept-encoding': 'gzip' })
  const tag = gzip.headers.get('etag') as string
  const conditions = { 'accept-encoding': 'br', 'if-none-match': tag }
  expect((await world.get('/api/v1/tools.json', conditions)).status).toBe(200)
})

// spec: CF-LIST, CF-TOOL, CF-DETAIL
test('every document is what its schema says', async () => {
  const check = async (path: string, schema: Parameters<typeof TypeCompiler.Compile>[0]) => {
    const errors = [...TypeCompiler.Compile(schema).Errors(await world.json(path))]
    expect(errors.slice(0, 3).map(({ path, message }) => [path, message])).toEqual([])
  }
  await check('/api/v1/tools.json', ToolsDocument)
  await check('/api/v1/tools.json?limit=500&sort=-name', PartOfToolsDocument)
  await check('/api/v1/tools.json?view=slim', SlimToolsDocument)
  await check('/api/v1/x402.json', X402Document)
  await check('/api/v1/changes.json', ChangesDocument)
  for (const { slug } of source.tools) await check(`/api/v1/tools/${slug}.json`, ToolDocument)
})

// spec: CF-LIST
test('the listing is by grade, score and slug; without a grade later, what is over last', async () => {
  type Row = {
    slug: string
    catalog: { grade: string | null; score: number | null; gates?: Array<{ code: string }> }
  }
  const { tools, count, graded, notGraded } = await world.json<{
    tools: Row[]
    count: number
    graded: number
    notGraded: number
  }>('/api/v1/tools.json')
  expect([count, graded + notGraded, tools.length]).toEqual([60, 60, 60])
  expect(graded).toBeGreaterThan(20)
  const key = ({ slug, catalog: { grade, score, gates = [] } }: Row) => {
    const over = gates.some(({ code }) => code === 'shut-down') ? 1 : 0
    const band = grade === null ? 9 : ['AA', 'A', 'BB', 'B', 'CC', 'C', 'D'].indexOf(grade)
    return `${over} ${band} ${(500 - (score ?? 0)).toFixed(1)} ${slug}`
  }
  expect(tools.some((tool) => key(tool).startsWith('1'))).toBe(true)
  expect(tools.map(key)).toEqual(tools.map(key).toSorted())
})

// spec: CF-X402
test('what takes payments per call is listed by score, with its endpoints', async () => {
  type Row = { slug: string; score: number | null; level: string; endpoints: unknown[] }
  const { count, tools } = await world.json<{ count: number; tools: Row[] }>('/api/v1/x402.json')
  expect(tools.length).toBeGreaterThan(3)
  expect(count).toBe(tools.length)
  const scores = tools.map(({ score }) => score ?? -1)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  for (const { slug, level } of tools)
    expect([slug, level]).toEqual([slug, expect.stringMatching(/^(yes|partial)$/)])
})

// spec: CF-VER-2
test('the entry leads to addresses that answer, and the prefix to the entry', async () => {
  for (const path of ['/api/v1', '/api/v1/']) {
    const response = await world.get(path)
    expect([response.status, response.headers.get('location')]).toEqual([308, '/api/v1/index.json'])
  }
})

test('an empty catalog has every document, and nothing in them', async () => {
  await using empty = await feedWorld()
  for (const path of DOCUMENTS.filter((path) => !path.includes('tool-0001'))) {
    expect([path, (await empty.get(path)).status]).toEqual([path, 200])
  }
  const errors = TypeCompiler.Compile(ToolsDocument).Errors(await empty.json('/api/v1/tools.json'))
  expect([...errors]).toEqual([])
})

test('the same data gives the same bytes, also after a restart and a day like this one', async () => {
  await using other = await feedWorld()
  await other.publish({ ...source, tools: source.tools.toReversed() })
  for (const path of DOCUMENTS) {
    const one = await bytesOf(await world.get(path))
    const two = await bytesOf(await other.get(path))
    expect([path, one.equals(two)]).toEqual([path, true])
  }
})

test('a publish is served whole, and what was served before goes on until then', async () => {
  await using own = await feedWorld()
  await own.publish(generatedCatalog(40))
  const before = await own.json<{ count: number }>('/api/v1/tools.json')
  let reading = true
  const seen = new Set<string>()
  const read = async () => {
    while (reading) {
      const { count, tools } = await own.json<{ count: number; tools: unknown[] }>(
        '/api/v1/tools.json',
      )
      seen.add(`${count} ${tools.length}`)
    }
  }
  const readers = [read(), read(), read()]
  await own.publish(generatedCatalog(90))
  reading = false
  await Promise.all(readers)
  expect(before.count).toBe(40)
  expect((await own.json<{ count: number }>('/api/v1/tools.json')).count).toBe(90)
  for (const pair of seen) expect(['40 40', '90 90']).toContain(pair)
})

test('what was changed says so on the day, and what was not keeps its day', async () => {
  await using own = await feedWorld()
  await own.publish(source)
  own.pass(3)
  const [first, ...others] = source.tools
  if (!first) throw new Error('no tool')
  await own.publish({ ...source, tools: [{ ...first, summary: 'Another one.' }, ...others] })
  const updated = async (slug: string) =>
    (await own.json<{ tool: { updated: string } }>(`/api/v1/tools/${slug}.json`)).tool.updated
  expect(await updated('tool-0000')).toBe('2026-11-24')
  expect(await updated('tool-0009')).toBe('2026-11-21')
})
