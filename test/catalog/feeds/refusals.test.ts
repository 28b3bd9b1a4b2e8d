import { afterAll, beforeAll, expect, test } from 'bun:test'
import { problemBody } from '../../../src/catalog/feeds/problem.ts'
import { Failure } from '../../../src/platform/failure.ts'
import { generatedCatalog } from '../../support/generated-catalog.ts'
import { type FeedWorld, feedWorld } from './feed-world.ts'

let world: FeedWorld
beforeAll(async () => {
  world = await feedWorld()
  await world.publish(generatedCatalog(12))
})
afterAll(() => world[Symbol.asyncDispose]())

const SUFFIXES: Array<[string, string]> = [
  ['/api/v1/tools/SLUG.json', 'application/problem+json'],
  ['/tools/SLUG.json', 'application/problem+json'],
  ['/tools/SLUG.md', 'text/markdown; charset=utf-8'],
  ['/tools/SLUG.min.md', 'text/markdown; charset=utf-8'],
  ['/tools/SLUG.atom', 'application/atom+xml; charset=utf-8'],
  ['/tools/SLUG', 'text/html; charset=utf-8'],
]

for (const [pattern, type] of SUFFIXES) {
  test(`${pattern}: never was, renamed and removed, in the type of its suffix`, async () => {
    const never = await world.get(pattern.replace('SLUG', 'never-was'))
    expect([never.status, never.headers.get('content-type')]).toEqual([404, type])
    expect(await never.text()).toContain('never-was')
    const gone = await world.get(pattern.replace('SLUG', 'tool-gone'))
    expect([gone.status, gone.headers.get('content-type')]).toEqual([410, type])
    expect((await gone.text()).replaceAll('\\', '')).toContain('tool-0000')
    const renamed = await world.get(pattern.replace('SLUG', 'tool-old-name'))
    expect([renamed.status, renamed.headers.get('location')]).toEqual([
      301,
      `https://catalog.example${pattern.replace('SLUG', 'tool-0000')}`,
    ])
    for (const refused of [never, gone]) {
      expect(refused.headers.get('access-control-allow-origin')).toBe('*')
      expect(refused.headers.get('cache-control')).toBe('no-store')
    }
    const head = await world.get(pattern.replace('SLUG', 'never-was'), {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([404, ''])
  })
}

test('a chain of renames leads to its end, and one that ends in nothing is gone', async () => {
  const source = generatedCatalog(3)
  const removed = [
    { slug: 'one', date: '2026-01-01', reason: 'Renamed', renamedTo: 'two' },
    { slug: 'two', date: '2026-02-01', reason: 'Renamed', renamedTo: 'tool-0001' },
    { slug: 'ring-a', date: '2026-02-01', reason: 'Renamed', renamedTo: 'ring-b' },
    { slug: 'ring-b', date: '2026-02-01', reason: 'Renamed', renamedTo: 'ring-a' },
  ]
  await using own = await feedWorld()
  await own.publish({ ...source, removed })
  const chain = await own.get('/api/v1/tools/one.json')
  expect(chain.headers.get('location')).toBe('https://catalog.example/api/v1/tools/tool-0001.json')
  expect((await own.get('/api/v1/tools/ring-a.json')).status).toBe(410)
})

// spec: CF-READ
test('writing is refused with what is allowed, and asking what is allowed is answered', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await world.get('/api/v1/tools.json', {}, method)
    expect([method, response.status, response.headers.get('allow')]).toEqual([
      ...[method, 405],
      'GET, HEAD, OPTIONS',
    ])
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
  }
  const preflight = await world.get(
    '/api/v1/tools.json',
    { origin: 'https://x.example' },
    'OPTIONS',
  )
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('If-None-Match')
})

test('a document without parameters says so', async () => {
  for (const path of ['/api/v1/x402.json', '/api/v1/tools/tool-0001.json', '/api/v1/live.json']) {
    const response = await world.get(`${path}?limit=3`)
    expect([path, response.status]).toEqual([path, 400])
    expect(await response.json()).toMatchObject({ code: 'invalid_parameter', allowed: [] })
    expect((await world.get(`${path}?`)).status).toBe(200)
  }
})

test('whoever refuses every coding is told which there are', async () => {
  for (const header of ['identity;q=0', '*;q=0', 'identity;q=0, deflate', '*;q=0, br;q=0.000']) {
    const response = await world.get('/api/v1/tools.json', { 'accept-encoding': header })
    expect([header, response.status]).toEqual([header, 406])
  }
})

test('an address of nobody is not the catalog’s to refuse', async () => {
  for (const path of ['/api/v1/nothing.json', '/api/v1/inbox', '/', '/toolsx', '/tools/a/b']) {
    expect([path, await (await world.get(path)).text()]).toEqual([path, 'house'])
  }
})

test('hostile addresses are refused quietly', async () => {
  for (const slug of ['..%2f..%2fetc', '%00', '%ff', '<script>', 'a'.repeat(4_000), '__proto__']) {
    const response = await world.get(`/api/v1/tools/${slug}.json`)
    expect([slug, response.status]).toEqual([slug, 404])
    const text = await response.text()
    expect(text).not.toContain('<script>')
    expect(text.length).toBeLessThan(400)
  }
})

test('one address is slowed down alone, and told when to come again', async () => {
  await using own = await feedWorld({ limited: true })
  await own.publish(generatedCatalog(3))
  const ask = (from: string) => own.get('/api/v1/tools.json?limit=1', { 'x-from': from })
  const first = await ask('192.0.2.7')
  expect(first.headers.get('ratelimit-policy')).toBe('"queries";q=120;w=12')
  expect(first.headers.get('ratelimit')).toMatch(/^"queries";r=119;t=\d+$/)
  for (let n = 1; n < 120; n++) expect((await ask('192.0.2.7')).status).toBe(200)
  const refused = await ask('192.0.2.7')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' })
  expect((await ask('192.0.2.8')).status).toBe(200)
  // Whole documents have a measure of their own.
  expect((await own.get('/api/v1/tools.json', { 'x-from': '192.0.2.7' })).status).toBe(200)
  // Whoever has one address of a network of IPv6 has all of them.
  for (let n = 0; n < 120; n++) await ask(`2001:db8::${n.toString(16)}`)
  expect((await ask('2001:db8::ffff')).status).toBe(429)
  expect((await ask('2001:db8:0:1::1')).status).toBe(200)
  await own.clock.advance(10_000)
  expect((await ask('192.0.2.7')).status).toBe(200)
})

test('a problem in a calendar or a feed cannot end its line or its element', () => {
  const hostile = new Failure('not_found', 'a\r\nBEGIN:VEVENT;,\\ <b>&"\u2028 '.repeat(9))
  const { body } = problemBody(hostile, '/sunsets.ics')
  expect(body).not.toMatch(/\nBEGIN:VEVENT/)
  for (const line of body.split('\r\n')) expect(Buffer.from(line).length).toBeLessThanOrEqual(75)
  expect(problemBody(hostile, '/changes.atom').body).not.toContain('<b>')
  expect(problemBody(hostile, '/tools/x').body).not.toContain('<b>')
  expect(problemBody(hostile, '/tools/x.md').body).not.toContain('\n# a')
})
