import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { SORT_VALUES } from '../../../src/catalog/records/parameters.ts'
import type { ToolDetail } from '../../../src/catalog/records/tool.ts'
import { takesX402 } from '../../../src/catalog/records/x402.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { howOften, isLong } from '../../support/share.ts'
import { type FeedWorld, feedWorld } from './feed-world.ts'

type Listing = {
  count: number
  graded: number
  notGraded: number
  tools: ToolDetail[]
  page: { count: number; limit: number; total: number; cursor: string | null; next: string | null }
  filters: Record<string, unknown>
  removed?: Array<{ slug: string }>
}

// Publishing on a busy machine.
setDefaultTimeout(60_000)

// More than the largest page has.
const RECORDS = isLong ? 2_000 : 600

const LISTING = '/api/v1/tools.json'
let world: FeedWorld
let all: ToolDetail[]
beforeAll(async () => {
  world = await feedWorld()
  await world.publish(generatedCatalog(RECORDS))
  all = (await world.json<Listing>(LISTING)).tools
})
afterAll(() => world[Symbol.asyncDispose]())

const list = (query: string) => world.json<Listing>(`${LISTING}?${query}`)

const FILTERS: Array<[string, (tool: ToolDetail) => boolean]> = [
  ['kind=mcp', (tool) => tool.kind === 'mcp'],
  ['kind=mcp,Model', (tool) => tool.kind === 'mcp' || tool.kind === 'model'],
  ['kind=mcp&kind=model', (tool) => tool.kind === 'mcp' || tool.kind === 'model'],
  ['category=messaging&auth=api-key', (t) => t.category === 'messaging' && t.auth === 'api-key'],
  ['area=services', (tool) => tool.area === 'services'],
  ['grade=aa,A', (tool) => ['AA', 'A'].includes(tool.catalog.grade ?? '')],
  ['grade=none', (tool) => tool.catalog.grade === null],
  ['minScore=55.5', (tool) => (tool.catalog.score ?? -1) >= 55.5],
  ['transport=streamable-http', (tool) => tool.transports.includes('streamable-http')],
  ['pricing=free', (tool) => tool.pricing === 'free'],
  ['where=hosted', (tool) => tool.where === 'hosted'],
  ['registry=npm', (tool) => tool.packages.some(({ registry }) => registry === 'npm')],
  ['capability=messaging', (t) => t.capabilities.some((one) => one.startsWith('messaging.'))],
  ['capability=messaging.sends', (t) => t.capabilities.includes('messaging.sends')],
  ['tag=signs', (tool) => tool.tags.includes('signs')],
  ['x402=yes,partial', (tool) => takesX402(tool.x402)],
  ['x402=no', (tool) => tool.x402?.level === 'no'],
  ['x402=unknown', (tool) => tool.x402 === undefined],
  ['vendor=vendor-3', (tool) => tool.vendor === 'Vendor 3'],
  ['vendor=VENDOR%203', (tool) => tool.vendor === 'Vendor 3'],
  ['agentReady=true', (tool) => tool.catalog.agentReady],
  ['graded=false', (tool) => !tool.graded],
  [
    'q=N%C3%9CMBER%20TOOL%20117&sort=score',
    (t) => `${t.name} ${t.vendor} ${t.summary}`.includes('117'),
  ],
  ['q=%40vendor%2Ftool-0117', (t) => t.packages.some(({ name }) => name === '@vendor/tool-0117')],
  ['updatedSince=2026-11-21', () => true],
  ['updatedSince=2026-11-22', () => false],
  ['kind=unheard-of', () => false],
]

for (const [query, wanted] of FILTERS) {
  test(`${query} gives those and no others`, async () => {
    const expected = all.filter(wanted)
    const { tools, page, count, graded, notGraded } = await list(`${query}&limit=500`)
    expect(tools.map(({ slug }) => slug)).toEqual(expected.slice(0, 500).map(({ slug }) => slug))
    expect([page.total, count, graded + notGraded]).toEqual(
      Array.from({ length: 3 }, () => expected.length),
    )
    expect(page.count).toBe(tools.length)
  })
}

test('a record in a part is the record of the whole', async () => {
  const { tools } = await list('limit=500&sort=slug')
  const bySlug = new Map(all.map((tool) => [tool.slug, tool]))
  for (const tool of tools) expect(tool).toEqual(bySlug.get(tool.slug) as ToolDetail)
})

for (const sort of SORT_VALUES) {
  test(`a walk by ${sort} has every record once, in order`, async () => {
    const seen: ToolDetail[] = []
    let next: string | null = `${LISTING}?sort=${sort}&limit=317`
    while (next !== null) {
      const response = await world.get(next)
      const { tools, page } = (await response.json()) as Listing
      seen.push(...tools)
      expect(response.headers.get('link')).toBe(page.next && `<${page.next}>; rel="next"`)
      next = page.next?.replace('https://catalog.example', '') ?? null
    }
    expect(seen).toHaveLength(RECORDS)
    expect(new Set(seen.map(({ slug }) => slug)).size).toBe(RECORDS)
    const keys: Record<string, (tool: ToolDetail) => string | number | null> = {
      score: (tool) => worthOf(tool),
      name: (tool) => tool.name.toLowerCase(),
      slug: (tool) => tool.slug,
      updated: (tool) => tool.updated ?? null,
      released: (tool) => tool.lastRelease ?? null,
      stars: (tool) => tool.popularity.githubStars,
    }
    const keyValues = seen.map(keys[sort.replace('-', '')] as (typeof keys)[string])
    const valued = keyValues.filter((key) => key !== null)
    expect(keyValues.slice(valued.length).every((key) => key === null)).toBe(true)
    const down = sort.startsWith('-') === /name|slug/.test(sort)
    for (const [i, key] of valued.entries()) {
      const before = valued[i - 1] ?? key
      expect(down ? before >= key : before <= key).toBe(true)
    }
  })
}

test('a walk through a search has every match once, in the order of one page', async () => {
  const whole = await list('q=number&limit=500')
  expect(whole.filters.sort).toBe('best')
  const walked: string[] = []
  let next: string | null = `${LISTING}?q=number&limit=70`
  while (next !== null) {
    const { tools, page }: Listing = await world.json<Listing>(next)
    walked.push(...tools.map(({ slug }) => slug))
    next = page.next?.replace('https://catalog.example', '') ?? null
  }
  expect(walked).toHaveLength(whole.page.total)
  expect(walked.slice(0, 500)).toEqual(whole.tools.map(({ slug }) => slug))
})

const GRADES = ['D', 'C', 'CC', 'B', 'BB', 'A', 'AA']

/** Null for what comes last either way round: without a grade, or over. */
function worthOf({ catalog: { grade, score, gates = [] } }: ToolDetail): number | null {
  if (grade === null || gates.some(({ code }) => code === 'shut-down')) return null
  return GRADES.indexOf(grade) * 1000 + (score ?? 0)
}

test('a page is small when only a list is wanted', async () => {
  const full = await (await world.get(`${LISTING}?limit=100`)).arrayBuffer()
  const slim = await (await world.get(`${LISTING}?limit=100&view=slim`)).arrayBuffer()
  expect(slim.byteLength).toBeLessThan(full.byteLength / 2)
})

test('what is no more is told to whoever keeps a copy', async () => {
  const { removed } = await list('removed=true&limit=1')
  expect(removed?.map(({ slug }) => slug)).toEqual(['tool-gone', 'tool-old-name'])
  const since = await list('removed=true&limit=1&updatedSince=2026-05-15')
  expect(since.removed?.map(({ slug }) => slug)).toEqual(['tool-old-name'])
})

type Problem = { status: number; code: string; detail: string; allowed?: string[] }

async function problem(query: string): Promise<Problem> {
  const response = await world.get(`${LISTING}?${query}`)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = (await response.json()) as Problem
  expect(body.status).toBe(response.status)
  return body
}

test('a parameter that cannot be is refused by name, with what it may be', async () => {
  const unknown = await problem('colour=red')
  expect(unknown).toMatchObject({ status: 400, code: 'invalid_parameter' })
  expect(unknown.allowed).toContain('minScore')
  expect(unknown.detail).toContain('"colour"')
  for (const query of [
    ...['kind=', 'kind=,', 'minScore=101', 'minScore=-1', 'minScore=x', 'minScore=1e1'],
    ...['limit=0', 'limit=501', 'limit=1.5', 'sort=grade', 'sort=--name', 'view=tiny'],
    ...['agentReady=yes', 'graded=1', 'updatedSince=2026-02-30', 'updatedSince=yesterday'],
    ...['cursor=x', 'cursor=W10', 'limit=1&limit=2', `q=${'a'.repeat(201)}`, 'KIND=mcp'],
    `kind=${Array.from({ length: 51 }, (_, i) => i).join()}`,
    `kind=${'a'.repeat(5_000)}`,
  ]) {
    expect([query, (await problem(query)).code]).toEqual([query, 'invalid_parameter'])
  }
})

test('a cursor belongs to its filters, its order and its revision', async () => {
  const { page } = await list('category=storage&limit=5')
  const cursor = encodeURIComponent(page.cursor as string)
  expect((await list(`category=storage&limit=50&cursor=${cursor}`)).page.count).toBe(50)
  const others = ['category=payments', 'category=storage&sort=name', 'category=storage&view=slim']
  for (const other of [...others, 'limit=5']) {
    const refused = await problem(`${other}&cursor=${cursor}`)
    expect(refused).toMatchObject({ status: 400, code: 'cursor_mismatch' })
  }
  await using own = await feedWorld()
  await own.publish(generatedCatalog(20))
  const first = await own.json<Listing>(`${LISTING}?limit=5`)
  await own.publish(generatedCatalog(21))
  const late = await own.get(`${LISTING}?limit=5&cursor=${first.page.cursor}`)
  expect([late.status, ((await late.json()) as Problem).code]).toEqual([410, 'revision_expired'])
})

test('the same question is answered with 304 to whoever kept its answer', async () => {
  const headers = { 'accept-encoding': 'gzip' }
  const first = await world.get(`${LISTING}?kind=mcp`, headers)
  const tag = first.headers.get('etag') as string
  const again = await world.get(`${LISTING}?kind=mcp`, { ...headers, 'if-none-match': tag })
  expect([again.status, again.headers.get('etag')]).toEqual([304, tag])
  const other = await world.get(`${LISTING}?kind=model`, { ...headers, 'if-none-match': tag })
  expect(other.status).toBe(200)
})

test('whatever is asked, the answer is a list or a refusal in words', async () => {
  const names = ['kind', 'q', 'limit', 'cursor', 'sort', 'minScore', 'updatedSince', 'vendor', 'x']
  const part = fc.tuple(
    fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'binary' })),
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '%', '%ff', '[]', '{}')),
    fc.boolean(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const query = parts
        .map(([name, value, raw]) => {
          const text = value.toWellFormed()
          const safe = text.replace(/[^!-~]|#/g, '')
          return `${encodeURIComponent(name.toWellFormed())}=${raw ? safe : encodeURIComponent(text)}`
        })
        .join('&')
      const response = await world.get(`${LISTING}?${query}`)
      const body = (await response.json()) as Partial<Problem & Listing>
      if (response.status === 200) expect(body.tools).toBeArray()
      else expect([400, 410]).toContain(response.status)
      if (response.status !== 200) expect(body.code).toBeString()
    }),
    { numRuns: howOften(12, 300) },
  )
}, 60_000)
