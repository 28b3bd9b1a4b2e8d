import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PASSWORD } from '../../support/auth-server.ts'
import { onSqlite } from '../../support/on-sqlite.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { expectSafeHeaders } from './page-headers.ts'

const PUBLIC = 'https://beckon.example.org'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
const BIG = 'x'.repeat(2 * 1024 * 1024)

let world: PageWorld
let cookie = ''
beforeAll(async () => {
  world = await pageWorld({ env: { BECKON_BASE_URL: PUBLIC } })
  const signedIn = await send([
    '/sign-in',
    form(`email=mara%40example.org&password=${encodeURIComponent(PASSWORD)}`),
  ])
  cookie = cookieOf(signedIn.headers)
})
afterAll(() => world[Symbol.asyncDispose]())

type Sent = [path: string, how?: { method?: string; body?: string; headers?: object }]

/** A signed-in person of the site itself, unless the headers say otherwise. */
function send([path, { method = 'GET', body, headers = {} } = {}]: Sent): Promise<Response> {
  return fetch(world.url + path, {
    method,
    redirect: 'manual',
    headers: { origin: PUBLIC, cookie, ...headers },
    ...(body === undefined ? {} : { body }),
  })
}

async function expectRefused(request: Sent, status: number) {
  const response = await send(request)
  await response.body?.cancel()
  expect([request[0], response.status]).toEqual([request[0], status])
  expectSafeHeaders(response.headers)
  // The public address is https, and every answer says so.
  expect(response.headers.get('strict-transport-security')).toContain('max-age=')
  expect(response.headers.get('cache-control')).toContain('no-store')
  if (status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  if (status === 405) expect(response.headers.get('allow')).toMatch(/[A-Z]/)
}

const post = (body: string, headers: object = {}) => ({ method: 'POST', body, headers })
const rest = (body: string) => post(body, JSON_TYPE)
const form = (body: string) => post(body, FORM)
const asNobody = { headers: { cookie: '' } }

const REFUSALS: Record<number, Sent[]> = {
  400: [
    ['/api/auth/passkey/verify-authentication', rest('{')],
    ['/api/v1/keys', rest('{"name":')],
    ['/api/mcp/mcp', rest('[')],
    ['/api/v1/tools.json?nonsense=1'],
  ],
  401: [['/api/v1/inbox', asNobody], ['/api/v1/agent'], ['/readyz/mirror']],
  403: [
    ['/sign-in', post('', { ...FORM, origin: 'https://evil.example' })],
    ['/api/v1/keys', post('{}', { ...JSON_TYPE, origin: 'null' })],
    ['/api/mcp/mcp', post('{}', { ...JSON_TYPE, origin: 'https://evil.example' })],
    ['/slack/interactions', form('payload=%7B%7D')],
  ],
  404: [
    ...['/nothing', '/api/nothing', '/assets/nothing.css', '/tools/nothing', '/d/%', '/a/%ff'],
    ...['/.git/config', '/api/auth/sign-up/email', '/tools-assets/nothing.css'],
  ].map((path): Sent => [path]),
  405: [
    ['/inbox', { method: 'DELETE' }],
    ['/api/v1/inbox', { method: 'PUT', body: '' }],
    ['/api/v1/inbox', { method: 'OPTIONS' }],
    ['/api/mcp/mcp'],
    ['/tools', post('')],
    ['/sw.js', { method: 'PROPFIND' }],
  ],
  406: [['/tools', { headers: { 'accept-encoding': '*;q=0' } }]],
  410: [
    ['/setup?key=spent', asNobody],
    [`/pair/${'0'.repeat(26)}`, asNobody],
  ],
  413: [
    ['/api/v1/keys', rest(BIG)],
    ['/sign-in', form(BIG)],
    ['/api/mcp/mcp', rest(BIG)],
    ['/settings/rules/new', form(`x=${'y'.repeat(70_000)}`)],
  ],
  415: [
    ['/api/v1/keys', post('{}', { 'content-type': 'text/plain' })],
    ['/sign-in', post('{}', JSON_TYPE)],
    ['/api/mcp/mcp', post('{}', FORM)],
  ],
  422: [
    ['/api/v1/keys', rest('{}')],
    ['/settings/slack', form('')],
  ],
}

const all = Object.entries(REFUSALS).flatMap(([status, requests]) =>
  requests.map((one) => [Number(status), one[1]?.method ?? 'GET', one[0], one] as const),
)

test.each(all)('a %i (%s %s) is as guarded as any page', (status, _method, _path, request) =>
  expectRefused(request, status),
)

test('a 429 of every kind is as guarded as any page', async () => {
  const often = (count: number, request: Sent) =>
    Promise.all(Array.from({ length: count }, () => send(request)))
  await often(20, ['/api/auth/sign-in/email', rest('{"email":"e@x.org"}')])
  await expectRefused(['/api/auth/sign-in/email', rest('{"email":"e@x.org"}')], 429)
  await expectRefused(['/sign-in', form('email=e%40x.org&password=x')], 429)
  await expectRefused([`/pair/${'0'.repeat(26)}`, form('')], 429)
  const wrong = { headers: { authorization: 'Bearer bk_wrong', cookie: '' } }
  await often(60, ['/api/v1/agent', wrong])
  await expectRefused(['/api/v1/agent', wrong], 429)
})

onSqlite('so is a 503, and what breaks in the middle', async () => {
  await world.db.orm.run('pragma max_page_count = 1')
  const name = 'n'.repeat(100)
  let refused = await send(['/api/v1/keys', rest(JSON.stringify({ name }))])
  for (let i = 0; i < 200 && refused.status === 201; i++) {
    refused = await send(['/api/v1/keys', rest(JSON.stringify({ name }))])
  }
  await expectRefused(['/api/v1/keys', rest(JSON.stringify({ name }))], 503)
  await expectRefused(['/settings/tokens', form(`name=${name}`)], 503)
  await world.db.orm.run('pragma max_page_count = 1000000')
  await world.db.orm.run('drop table rules')
  await expectRefused(['/api/v1/rules'], 500)
  await expectRefused(['/settings/rules'], 500)
})
