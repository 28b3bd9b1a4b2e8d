import { afterAll, expect, test } from 'bun:test'
import {
  signInChecks,
  signInFromOutside,
  whyNotHosted,
} from '../../../src/ask/health/sign-in-checks.ts'
import { createGuardedFetch } from '../../../src/platform/outgoing/guarded-fetch.ts'
import { beckon } from '../../support/beckon.ts'
import { type Found, program } from '../../support/doctor-world.ts'
import { pageWorld } from '../../support/page-world.ts'

/** What a proxy makes of a reply; undefined passes it on. */
type Spoil = (path: string, reply: Response) => Response | undefined | Promise<Response>

let spoil: Spoil = () => undefined
let behind = ''
const proxy = program(async (request) => {
  const { pathname, search } = new URL(request.url)
  const reply = await fetch(behind + pathname + search, {
    ...{ method: request.method, headers: request.headers, redirect: 'manual' },
    ...(request.method === 'POST' ? { body: await request.text() } : {}),
  })
  return (await spoil(pathname, reply)) ?? reply
})
const world = await pageWorld({ env: { BECKON_BASE_URL: proxy.url, BECKON_OAUTH: 'on' } })
behind = world.url
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

const { addressesOf } = createGuardedFetch()

/** The line on the way, with such a proxy. */
async function checkWith(by: Spoil = () => undefined) {
  spoil = by
  const [way] = await signInFromOutside(proxy.url, addressesOf)
  return way
}

test('a server that lets clients sign in: the whole way is found', async () => {
  spoil = () => undefined
  const checks = await signInFromOutside(proxy.url, addressesOf)
  expect(checks).toEqual([
    {
      name: 'Sign-in of clients',
      link: 'address',
      state: 'ok',
      said: `From ${proxy.url}/mcp clients find where to register and where to sign in.`,
    },
    {
      name: 'Documents of clients',
      link: 'address',
      state: 'ok',
      said: expect.stringContaining('Claude Code, Codex'),
    },
    {
      name: 'Hosted clients',
      link: 'address',
      state: 'warn',
      said: expect.stringContaining('it is only this machine'),
      cure: expect.stringContaining('beckon docs https'),
    },
  ])
})

const without = (name: string) => (path: string, reply: Response) => {
  if (path !== '/mcp') return undefined
  const headers = new Headers(reply.headers)
  headers.delete(name)
  return new Response(reply.body, { status: reply.status, headers })
}

const changed =
  (at: string, change: (document: Record<string, unknown>) => object): Spoil =>
  (path, reply) =>
    path === at
      ? reply.json().then((document) => Response.json(change(document as object as never)))
      : undefined

const answered =
  (at: string, status: number, type = 'application/json'): Spoil =>
  (path) =>
    path === at
      ? new Response(type === 'text/html' ? '<title>Beckon</title>' : '{}', {
          status,
          headers: { 'content-type': type },
        })
      : undefined

const SERVER = '/.well-known/oauth-authorization-server/oauth2'
const PASSED_ON = /^Have the proxy pass on every address/
const UNGUARDED = /^Take what asks for a password/
const NAMED = /^Set BECKON_BASE_URL/

test.each<[string, Spoil, RegExp, RegExp]>([
  ['no challenge', without('www-authenticate'), /401 with WWW-Authenticate.*missing/, PASSED_ON],
  ['/mcp kept back', answered('/mcp', 404), /POST .*\/mcp .*it is 404\./, PASSED_ON],
  ['a check for browsers', answered('/mcp', 403, 'text/html'), /403 with a page/, UNGUARDED],
  ['an open handshake', answered('/mcp', 200), /must be 401, and it is 200/, PASSED_ON],
  [
    'no resource metadata',
    answered('/.well-known/oauth-protected-resource/mcp', 404, 'text/html'),
    /oauth-protected-resource\/mcp must be 200 .* it is 404 with a page/,
    PASSED_ON,
  ],
  [
    'another resource',
    changed('/.well-known/oauth-protected-resource/mcp', (document) => ({
      ...document,
      resource: 'https://old.example/mcp',
    })),
    /names https:\/\/old\.example\/mcp/,
    NAMED,
  ],
  [
    'no server metadata',
    answered(SERVER, 404),
    /oauth-authorization-server\/oauth2 must be 200/,
    PASSED_ON,
  ],
  [
    'no OpenID metadata',
    answered('/oauth2/.well-known/openid-configuration', 502),
    /\/oauth2\/\.well-known\/openid-configuration must be 200.*502/,
    PASSED_ON,
  ],
  [
    'another issuer',
    changed(SERVER, (document) => ({ ...document, issuer: 'https://old.example/oauth2' })),
    /names https:\/\/old/,
    NAMED,
  ],
  [
    'a token endpoint elsewhere',
    changed(SERVER, (document) => ({
      ...document,
      token_endpoint: 'http://10.0.0.2/oauth2/token',
    })),
    /names http:\/\/10\.0\.0\.2/,
    NAMED,
  ],
  [
    'no S256',
    changed(SERVER, (document) => ({ ...document, code_challenge_methods_supported: ['plain'] })),
    /lacks code_challenge_methods_supported with S256/,
    /^Something on the way/,
  ],
  [
    'no public clients',
    changed(SERVER, (document) => ({
      ...document,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    })),
    /lacks token_endpoint_auth_methods_supported with none/,
    /^Something on the way/,
  ],
  [
    'no documents of clients',
    changed(SERVER, (document) => ({ ...document, client_id_metadata_document_supported: false })),
    /lacks client_id_metadata_document_supported/,
    /^Something on the way/,
  ],
  [
    'registration kept back',
    answered('/oauth2/register', 401),
    /empty registration must be 400, and it is 401/,
    UNGUARDED,
  ],
  [
    'no page to sign in',
    answered('/oauth2/authorize', 404, 'text/html'),
    /page for signing in, and it is 404/,
    PASSED_ON,
  ],
])(
  'the first thing wrong on the way is said, with its cure: %s',
  async (_name, by, sentence, cure) => {
    expect(await checkWith(by)).toEqual({
      name: 'Sign-in of clients',
      link: 'address',
      state: 'fail',
      said: expect.stringMatching(sentence),
      cure: expect.stringMatching(cure),
    })
  },
)

test('the first thing wrong on the way is said, with its cure: a redirect to another host', async () => {
  const away: Spoil = (path) =>
    path === '/oauth2/authorize' ? Response.redirect('https://login.example/') : undefined
  expect((await checkWith(away))?.said).toContain('must lead to the page for signing in')
})

test('the first thing wrong on the way is said, with its cure: another name of the same server', async () => {
  const [way] = await signInFromOutside(proxy.url.replace('localhost', '127.0.0.1'), addressesOf)
  expect(way).toMatchObject({ state: 'fail', said: expect.stringContaining(proxy.url) })
  expect(way?.cure).toMatch(NAMED)
})

test('the first thing wrong on the way is said, with its cure: nobody there', async () => {
  const gone = program(() => new Response())
  await gone[Symbol.asyncDispose]()
  const [way] = await signInFromOutside(gone.url, addressesOf)
  expect(way).toMatchObject({ state: 'fail', said: expect.stringContaining('cannot be reached') })
})

test('looking leaves no client behind', async () => {
  await checkWith()
  const { oauthClients } = await import('../../../src/ask/oauth/model/table.ts')
  expect(await world.db.read.select().from(oauthClients)).toEqual([])
})

test('a server without sign-in is no fault, unless the setting says otherwise', async () => {
  await using off = await pageWorld({ env: { BECKON_OAUTH: 'off' } })
  const look = (oauth: boolean | undefined) =>
    signInChecks({ baseUrl: off.app.baseUrl, oauth }, off.url, addressesOf, undefined)
  expect(await look(undefined)).toMatchObject([{ state: 'skip' }])
  expect(await look(true)).toMatchObject([
    { state: 'fail', cure: expect.stringContaining('Restart') },
  ])
})

test.each([
  ['http://localhost:8484', [], 'only this machine'],
  ['http://beckon.example.com', ['93.184.215.14'], 'only call https'],
  ['https://beckon.example.com:8443', ['93.184.215.14'], 'only call port 443'],
  [
    'https://box.tail1234.ts.net',
    ['100.101.102.103'],
    'only in your tailnet, unless Tailscale Funnel',
  ],
  ['https://beckon.home.example', ['192.168.1.7'], 'private address'],
  ['https://beckon.home.example', ['fd00::7'], 'private address'],
  ['https://beckon.example.com', [], 'no address'],
  ['https://beckon.example.com', ['93.184.215.14'], undefined],
])('whether claude.ai and ChatGPT can call %s', async (baseUrl, addresses, why) => {
  const guard = createGuardedFetch({
    resolve: async () => {
      if (addresses.length === 0) throw new Error('ENOTFOUND')
      return addresses
    },
  })
  const reason = await whyNotHosted(baseUrl, guard.addressesOf)
  if (why === undefined) expect(reason).toBeUndefined()
  else expect(reason).toContain(why)
})

test('beckon doctor --oauth looks there, from any machine', async () => {
  spoil = () => undefined
  const whole = await beckon(['doctor', '--oauth', `${proxy.url}/mcp`, '--json'])
  const { ok, exitCode, checks } = JSON.parse(whole.out) as Found
  expect([whole.code, ok, exitCode, checks.map(({ state }) => state)]).toEqual([
    0,
    true,
    0,
    ['ok', 'ok', 'warn'],
  ])
  spoil = answered('/mcp', 404)
  const broken = await beckon(['doctor', '--oauth', proxy.url])
  expect([broken.code, broken.out]).toEqual([5, expect.stringContaining('✗ Sign-in of clients: ')])
  const wrong = await beckon(['doctor', '--oauth', 'ftp://x'])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--oauth must be')])
})
