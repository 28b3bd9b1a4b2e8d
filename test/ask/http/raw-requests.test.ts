import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { type ServerProcess, serverProcess } from '../../support/server-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let server: ServerProcess
beforeAll(async () => {
  server = await serverProcess(folder.path)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** All that comes back for these bytes until the server closes; `leave` hangs up after them. */
function sentRaw(bytes: string, leave: 'stay' | 'leave' = 'stay'): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(server.port, '127.0.0.1', () =>
      leave === 'leave' ? socket.end(bytes) : socket.write(bytes),
    )
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
  })
}

/** The lines of a request; `HOST` stands for where the server is. */
function request(line: string, headers: string[] = [], body = ''): string {
  const host = `Host: 127.0.0.1:${server.port}`
  const lines = headers.includes('no host') ? headers.slice(1) : [host, ...headers]
  return `${[line, ...lines].join('\r\n')}\r\n\r\n${body}`
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)

const SECOND = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

const POST = 'POST /sign-in HTTP/1.1'
test.each<[string, string[], string]>([
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 50'], '0\r\n\r\n'],
  ['two lengths', ['Content-Length: 0', 'Content-Length: 40'], ''],
  ['a length in a list', ['Content-Length: 0, 40'], ''],
  ['a negative length', ['Content-Length: -1'], ''],
  ['a length with a sign', ['Content-Length: +0'], ''],
  ['a length in hexadecimal', ['Content-Length: 0x0'], ''],
  ['an unknown coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['a coding after chunks', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 0'], ''],
  ['a folded line', ['X: y', ' Transfer-Encoding: chunked', 'Content-Length: 0'], ''],
  ['a bare line feed', ['X: y\nContent-Length: 3', 'Content-Length: 0'], ''],
  ['a zero byte in a header', ['X: a\0b', 'Content-Length: 0'], ''],
  ['a chunk that is no number', [FORM, 'Transfer-Encoding: chunked'], 'ZZ\r\nabc\r\n0\r\n\r\n'],
  ['a chunk too long for numbers', [FORM, 'Transfer-Encoding: chunked'], `${'f'.repeat(20)}\r\n`],
])(
  'a request whose end can be read in two ways is refused, and nothing after it is read: %s',
  async (_, headers, body) => {
    const answer = await sentRaw(request(POST, headers, body + SECOND))
    // One that is refused before its body is read was answered already.
    expect(statuses(answer).filter((status) => status !== '403')).toEqual(['400'])
  },
)

test('two requests in one packet are never answered in another order', async () => {
  const length = ['Content-Length: 3', FORM]
  const both = request('POST /sign-in HTTP/1.1', length, `a=b${SECOND}`)
  for (let i = 0; i < 5; i++) {
    const answered = statuses(await sentRaw(both, 'leave'))
    // Whoever hangs up may miss an answer, and gets no other one in its place.
    expect(answered).toEqual(['403', '200'].slice(0, answered.length))
  }
})

test('headers and addresses have a limit, and the server lives on', async () => {
  const long = 'a'.repeat(20_000)
  const many = Array.from({ length: 500 }, (_, i) => `X-${i}: 1`)
  for (const bytes of [
    request('GET /healthz HTTP/1.1', [`X: ${long}`]),
    request('GET /healthz HTTP/1.1', [`Cookie: beckon.session_token=${long}`]),
    request(`GET /${long} HTTP/1.1`),
    request('GET /healthz HTTP/1.1', many),
  ]) {
    expect(statuses(await sentRaw(bytes))).toEqual(['431'])
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('a method that nobody knows, or that mirrors, tells nothing', async () => {
  const canary = ['X-Canary: canary-in-a-header', 'Connection: close']
  for (const method of ['TRACE', 'TRACK', 'CONNECT', 'PROPFIND', 'DEBUG', 'get']) {
    const answer = await sentRaw(request(`${method} /sign-in HTTP/1.1`, canary))
    // Bun hangs up on what is no method.
    expect([method, /^($|HTTP\/1\.1 (400|404|405|501) )/.test(answer)]).toEqual([method, true])
    expect(answer).not.toContain('canary-in')
  }
})

test('HEAD has the headers of GET, and no body', async () => {
  for (const path of ['/sign-in', '/readyz', '/openapi.json', '/tools']) {
    const answer = await sentRaw(request(`HEAD ${path} HTTP/1.1`, ['Connection: close']))
    const [head = '', body] = answer.split('\r\n\r\n')
    expect([path, statuses(head), body]).toEqual([path, ['200'], ''])
    expect(head).toMatch(/content-security-policy: /i)
  }
})

test('health addresses do not look at Host, as load balancers ask with none', async () => {
  for (const path of ['/healthz', '/readyz', '/readyz?x=1']) {
    for (const method of ['GET', 'HEAD']) {
      const requests = [
        `${method} ${path} HTTP/1.0\r\n\r\n`,
        ...['Host:', 'Host: a b', 'Host: ]', 'Host: x/y', 'Host: other.example'].map((host) =>
          request(`${method} ${path} HTTP/1.1`, ['no host', host, 'Connection: close']),
        ),
      ]
      for (const bytes of requests)
        expect([bytes, statuses(await sentRaw(bytes))]).toEqual([bytes, ['200']])
    }
  }
  for (const line of ['GET /readyz/mirror', 'GET /sign-in', 'POST /readyz', 'GET /x/readyz']) {
    expect([line, statuses(await sentRaw(`${line} HTTP/1.0\r\n\r\n`))]).toEqual([line, ['400']])
  }
})

// What a router and a check before it could take for two different paths.
test.each([
  '//settings',
  '/settings%2ftokens',
  '/settings%2Ftokens',
  '/;/settings',
  '/..;/settings',
  '/settings;x=/tokens',
  '/%5csettings',
  '/settings%00',
  '/settings%0a',
  '/%73ettings%2f..',
  '/api//v1/inbox',
  '/api/v1/inbox%2f',
  '/api/v1/inbox%00',
  '/api/v1/%2e%2e%2fv1/inbox',
  '/assets/..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/tools-assets/..%5c..%5cpackage.json',
  '/tools/..%2f..%2fbeckon.db',
  '/api/v1/blobs/sha256/..%2f..%2fbeckon.db',
])('%s is no other way to anything', async (path) => {
  const answer = await sentRaw(request(`GET ${path} HTTP/1.1`, ['Connection: close']))
  expect(answer).toMatch(/^HTTP\/1\.1 (303|400|404) /)
  // Only what reads as the page itself is shown the way in; then it is asked for as the page.
  const to = /^location: (.*)\r$/im.exec(answer)?.[1]
  if (to) expect(to).toMatch(/^\/sign-in(\?next=%2F[a-z]|$)/)
})

test('an address in the request line, or a Host, is believed by nothing', async () => {
  for (const bytes of [
    request('GET http://evil.example/sign-in HTTP/1.1', ['Connection: close']),
    request('GET /sign-in HTTP/1.1', ['no host', 'Host: evil.example', 'Connection: close']),
    request('GET /inbox HTTP/1.1', [
      ...['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example', 'Connection: close'],
    ]),
  ]) {
    const answer = await sentRaw(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 (200|303) /)
    expect(answer).not.toContain('evil.example')
  }
})

test('a body that is cut off is nobody’s fault but the caller’s: the log has nothing to say', async () => {
  const json = 'Content-Type: application/json'
  for (const [path, type] of [
    ['/sign-in', FORM],
    ['/api/auth/sign-in/email', json],
    ['/api/v1/subscribers/sub_1/shown', json],
    ['/api/mcp/mcp', json],
    ['/slack/interactions', FORM],
  ]) {
    const origin = `Origin: ${server.url}`
    const headers = [`${type}`, origin, 'Content-Length: 100']
    await sentRaw(request(`POST ${path} HTTP/1.1`, headers, 'a=b'), 'leave')
    const chunked = [`${type}`, origin, 'Transfer-Encoding: chunked']
    await sentRaw(request(`POST ${path} HTTP/1.1`, chunked, '3\r\na=b\r\n'), 'leave')
  }
  const { code, err } = await server.end('SIGTERM')
  expect(code).toBe(0)
  expect(err).not.toContain('a request failed')
})
