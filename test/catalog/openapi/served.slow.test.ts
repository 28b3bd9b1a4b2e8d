import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type WholeServer, wholeServer } from '../../support/whole-server.ts'

let house: WholeServer

beforeAll(async () => {
  house = await wholeServer()
})
afterAll(() => house[Symbol.asyncDispose]())

const ask = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${house.url}/openapi.json`, {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
  })

test('the description is sent as every feed is: to other sites, tagged, kept for five minutes', async () => {
  const [described, feed] = [await ask(), await fetch(`${house.url}/api/v1/tools.json`)]
  const body = await described.text()
  expect(JSON.parse(body).openapi).toStartWith('3.1')
  for (const name of [
    'access-control-allow-origin',
    'access-control-expose-headers',
    'cross-origin-resource-policy',
    'cache-control',
    'vary',
  ]) {
    const header = [name, described.headers.get(name)] as const
    expect(header).toEqual([name, feed.headers.get(name)])
    expect(header[1]).not.toBeNull()
  }
  expect(described.headers.get('etag')).toMatch(/^"[^"]+"$/)

  const head = await ask({}, 'HEAD')
  expect(head.headers.get('etag')).toBe(described.headers.get('etag'))
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
})

test('a page of another site may ask first, as it may for every feed', async () => {
  const asks = {
    origin: 'https://other.example',
    'access-control-request-headers': 'if-none-match',
  }
  const options = {
    method: 'OPTIONS',
    headers: { ...asks, 'access-control-request-method': 'GET' },
  }
  const [described, feed] = await Promise.all(
    ['/openapi.json', '/api/v1/tools.json'].map((path) => fetch(house.url + path, options)),
  )
  const statusAndHeaders = (response?: Response) => [
    response?.status,
    Object.fromEntries(response?.headers ?? []),
  ]
  expect(described?.headers.get('access-control-allow-headers')).toContain('If-None-Match')
  const dated = { date: expect.any(String) }
  expect(statusAndHeaders(described)).toEqual([
    204,
    { ...Object.fromEntries(feed?.headers ?? []), ...dated },
  ])
})

test('each coding has its own tag and the same text, and what is known is not sent again', async () => {
  const plain = await (await ask()).text()
  const tags = new Set<string>()
  for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
    const response = await ask({ 'accept-encoding': coding })
    const etag = response.headers.get('etag') ?? ''
    tags.add(etag)
    expect(response.headers.get('content-encoding') ?? 'identity').toBe(coding)
    expect(await response.text()).toBe(plain)
    const again = await ask({ 'accept-encoding': coding, 'if-none-match': etag })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  }
  expect(tags.size).toBe(4)
  const refused = await ask({ 'accept-encoding': 'identity;q=0, *;q=0' })
  expect([refused.status, (await refused.json()).code]).toEqual([406, 'not_acceptable'])
})
