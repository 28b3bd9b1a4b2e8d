import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { healthRoutes } from '../../../src/ask/health/probes-rest.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { Failure } from '../../../src/platform/failure.ts'
import type { Listener, ListenOptions } from '../../../src/platform/http/listener.ts'
import { readJson } from '../../../src/platform/http/request.ts'
import type { HttpOptions } from '../../../src/platform/http/server.ts'
import { createLog, silentLog } from '../../../src/platform/log.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { startServer } from '../../support/start-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const logged: string[] = []
let server: Listener

function start(more: Partial<HttpOptions & ListenOptions> = {}) {
  return startServer({
    log: createLog({ format: 'json', level: 'info', write: (line) => logged.push(line) }),
    routes: [
      new Elysia({ prefix: '/api/v1' })
        .get('/bug', () => {
          throw new Error('the database password is hunter2')
        })
        .get('/busy', () => {
          throw new Failure('rate_limited', 'Too many.', { retryAfter: 2.4 })
        })
        .get('/things/:id', ({ params }) => params)
        .delete('/things/:id', () => 'gone')
        .post('/echo', async ({ request }) => Response.json(await readJson(request)), {
          parse: 'none',
        }),
      new Elysia().get('/page', () => new Response('page')).all('/api/auth/*', () => 'auth'),
    ],
    ...more,
  })
}

beforeAll(() => {
  server = start()
})
afterAll(() => server.stop(0))

const call = (path: string, init?: RequestInit) => fetch(`${server.url}${path}`, init)
const post = (path: string, body: BodyInit, type = 'application/json') =>
  call(path, { method: 'POST', body, headers: { 'content-type': type } })

test('a failure is a problem document with its stable code', async () => {
  const response = await call('/api/v1/busy')
  expect(response.status).toBe(429)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('retry-after')).toBe('3')
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Too many requests',
    status: 429,
    detail: 'Too many.',
    code: 'rate_limited',
  })
})

test('a bug is said without detail and logged', async () => {
  const response = await call('/api/v1/bug')
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ code: 'internal' })
  expect(text).not.toContain('hunter2')
  expect(logged.at(-1)).toContain('/api/v1/bug')
})

test('an unknown path under /api is a JSON 404, whatever the method', async () => {
  for (const path of ['/api', '/api/', '/api/v1/nothing', '/api/v2/x', '/.well-known/oauth-x']) {
    for (const method of ['GET', 'POST', 'PROPFIND']) {
      const response = await call(path, { method })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 })
    }
  }
})

test('an address outside of the API answers with a page about the error', async () => {
  await using own = startDisposable({
    errorPage: (failure) =>
      new Response(`<h1>${failure.code}</h1>`, {
        status: failure.status,
        headers: { 'content-type': 'text/html' },
      }),
  })
  const page = await fetch(`${own.url}/nowhere`)
  expect([page.status, await page.text()]).toEqual([404, '<h1>not_found</h1>'])
  const wrong = await fetch(`${own.url}/page`, { method: 'DELETE' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect((await fetch(`${own.url}/api/v1/nothing`)).headers.get('content-type')).toContain('json')
})

test('a wrong method is 405 and says which ones there are', async () => {
  const response = await call('/api/v1/things/5', { method: 'PUT' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD')
  expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
})

test('a body over 1 MiB is 413, said in advance or not', async () => {
  const big = JSON.stringify('x'.repeat(1024 * 1024))
  const response = await post('/api/v1/echo', big)
  expect([response.status, (await response.json()).code]).toEqual([413, 'too_large'])
  const unsaid = await post('/api/v1/echo', new Blob([big]).stream())
  expect([unsaid.status, (await unsaid.json()).code]).toEqual([413, 'too_large'])
  expect((await post('/api/auth/x', 'y'.repeat(2 * 1024 * 1024))).status).toBe(413)
  const fits = await post('/api/v1/echo', JSON.stringify('x'.repeat(1024 * 1024 - 2)))
  expect(fits.status).toBe(200)
})

test('a body that is not JSON is refused by what is wrong with it', async () => {
  const codes = await Promise.all(
    [
      post('/api/v1/echo', '{"a":', 'application/json'),
      post('/api/v1/echo', '', 'application/json'),
      post('/api/v1/echo', new Uint8Array([0x22, 0xff, 0x22]), 'application/json'),
      post('/api/v1/echo', '{}', 'text/plain'),
      post('/api/v1/echo', 'a=b', 'application/x-www-form-urlencoded'),
    ].map(async (response) => (await (await response).json()).code),
  )
  expect(codes).toEqual([
    'malformed',
    'malformed',
    'malformed',
    'unsupported_media_type',
    'unsupported_media_type',
  ])
})

test('a body that is packed is refused, since nothing unpacks it', async () => {
  const response = await call('/api/v1/echo', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: Bun.gzipSync('{"a":1}'),
  })
  expect(response.status).toBe(415)
  expect((await response.json()).detail).toContain('Content-Encoding')
})

test('every response carries the security headers, errors included', async () => {
  for (const path of ['/page', '/api/v1/things/5', '/api/v1/bug', '/nowhere']) {
    const { headers } = await call(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.has('strict-transport-security')).toBe(false)
  }
  await using secure = startDisposable({ baseUrl: 'https://beckon.example' })
  const { headers } = await fetch(`${secure.url}/page`)
  expect(headers.get('strict-transport-security')).toContain('max-age')
})

test('other sites are not let in: nothing answers their preflight', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const response = await call('/api/v1/echo', { method: 'OPTIONS', headers })
  expect(response.status).toBe(405)
  const names = [...response.headers.keys()]
  expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('a port that is taken is refused in one sentence', () => {
  const take = () => startServer({ port: server.port, log: silentLog, routes: [] })
  expect(take).toThrow(`Port ${server.port} on 127.0.0.1 is taken by another program`)
})

test('readyz follows the database, healthz only the process', async () => {
  using folder = tempFolder()
  const closing = new AbortController()
  const db = openSqlite(join(folder.path, 'beckon.db'))
  await using own = startDisposable({
    routes: [
      healthRoutes({
        freeBytes: () => undefined,
        db,
        clock: fakeClock(),
        log: createLog({ format: 'json', level: 'info', write: (line) => logged.push(line) }),
        leaving: closing.signal,
        tlsProblem: () => undefined,
      }),
    ],
  })
  const status = async (path: string) => (await fetch(`${own.url}${path}`)).status
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])
  closing.abort()
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503])
  await db[Symbol.asyncDispose]()
})

test('readyz is 503 when the database does not answer', async () => {
  using folder = tempFolder()
  const db = openSqlite(join(folder.path, 'beckon.db'))
  await db[Symbol.asyncDispose]()
  await using own = startDisposable({
    routes: [
      healthRoutes({
        freeBytes: () => undefined,
        db,
        clock: fakeClock(),
        log: createLog({ format: 'json', level: 'info', write: (line) => logged.push(line) }),
        leaving: new AbortController().signal,
        tlsProblem: () => undefined,
      }),
    ],
  })
  const response = await fetch(`${own.url}/readyz`)
  expect([response.status, (await response.json()).code]).toEqual([503, 'unavailable'])
  expect(JSON.parse(logged.at(-1) ?? '')).toMatchObject({
    level: 'warn',
    path: '/readyz',
    error: { code: 'unavailable', cause: expect.anything() },
  })
})

test('stopping waits for what is open, and cuts what takes too long', async () => {
  const gate = Promise.withResolvers<void>()
  const routes = [
    new Elysia()
      .get('/slow', () => gate.promise.then(() => 'done'))
      .get('/never', () => new Promise<string>(() => {})),
  ]
  const first = start({ routes })
  const slow = fetch(`${first.url}/slow`)
  await fetch(`${first.url}/nowhere`)
  const stopped = first.stop(60_000)
  gate.resolve()
  expect(await (await slow).text()).toBe('done')
  await stopped
  expect(fetch(`${first.url}/slow`)).rejects.toThrow()

  const second = start({ routes })
  const never = fetch(`${second.url}/never`).then(
    () => 'answered',
    () => 'cut',
  )
  await fetch(`${second.url}/nowhere`)
  await second.stop(10)
  expect(await never).toBe('cut')
})

function sentRaw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
}

test.each(['ev il', 'a/b@c:99999', 'a b?c#d', '[::'])(
  'a Host header that is no host (%s) is the fault of who sent it',
  async (host) => {
    for (const path of ['/page', '/api/v1/echo', '/x/healthz']) {
      const answer = await sentRaw(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toStartWith('HTTP/1.1 400 ')
      expect(answer).toContain('"code":"malformed"')
    }
  },
)

test('a request that is not HTTP gets a refusal, and the server lives on', async () => {
  const answer = await sentRaw('\0\x16\x03 hello\r\n\r\n')
  expect(answer).toContain('400')
  expect((await call('/page')).status).toBe(200)
})

function startDisposable(more: Partial<HttpOptions & ListenOptions>): Listener & AsyncDisposable {
  const running = start(more)
  return { ...running, [Symbol.asyncDispose]: () => running.stop(0) }
}

test('a machine with a short name is served like any other', async () => {
  for (const host of ['x', 'pi', 'nas', 'box.lan']) {
    const response = await call('/page', { headers: { host } })
    expect([host, response.status]).toEqual([host, 200])
  }
})
