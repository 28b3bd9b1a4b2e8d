import { afterAll, beforeAll, expect, test } from 'bun:test'
import { UNUSED_MAX } from '../../../src/ask/oauth/register-client.ts'
import { rpc, toolCall } from '../../support/mcp-world.ts'
import {
  CALLBACK,
  codeGrant,
  type OauthWorld,
  oauthWorld,
  refreshGrant,
} from '../../support/oauth-world.ts'

// One server for all: what each test does stays with its own client. All come from one address, so
// that the test of registrations has a server of its own.
let world: OauthWorld
let client: string
beforeAll(async () => {
  world = await oauthWorld()
  client = (await world.register()).client_id
})
afterAll(() => world[Symbol.asyncDispose]())

const NOTE = toolCall('send_notification', { title: 'Hello', body: 'There.' })
const calls = async (token: string) => (await world.mcp(token, NOTE)).status
const place = (response: Response) => response.headers.get('location') ?? ''

test.each([
  'https://evil.example/callback',
  'http://127.0.0.1:19876/callback/more',
  'http://127.0.0.1:19876/callback?more',
  'http://127.0.0.1:19876/callback#more',
  'http://127.0.0.1:19876/Callback',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.1:19876@evil.example/callback',
  'http://user@127.0.0.1:19876/callback',
  'http://127.0.0.2/callback',
  'http://localhost:19876/callback',
  'http://2130706433:19876/callback',
  'http://[::1]:19876/callback',
  'https://127.0.0.1:19876/callback',
  'http:\\\\127.0.0.1\\callback',
  'javascript:alert(1)',
  '/callback',
  '',
])(
  'open redirect: nobody is sent to an address that was not registered (RFC 6749, 4.1.2.1; RFC 9700, 4.1.3): %s',
  async (redirect_uri) => {
    const response = await world.authorize(world.query(client, { redirect_uri }))
    expect([response.status, place(response)]).toEqual([400, ''])
    expect(await response.text()).not.toContain('name="decision"')
  },
)

test('two addresses are none', async () => {
  const twice = `${world.query(client)}&redirect_uri=https%3A%2F%2Fevil.example`
  expect((await world.authorize(twice)).status).toBe(400)
})

test('an unknown client is sent nowhere, and neither is a form that names another address', async () => {
  expect((await world.authorize(world.query('app_nobody'))).status).toBe(400)
  const request = world.query(client, { redirect_uri: 'https://evil.example' })
  const fields = { request, decision: 'allow', may: 'ask' }
  const response = await world.post('/oauth2/authorize', fields)
  expect([response.status, place(response)]).toEqual([400, ''])
})

test('the port of a program on the device may be another (RFC 8252, 7.3)', async () => {
  const redirect_uri = 'http://127.0.0.1:40001/callback'
  const response = await world.authorize(world.query(client, { redirect_uri }))
  expect(response.status).toBe(200)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://intranet/callback',
  'http://127.1/callback',
  'https://u:p@a.example/',
  'https://a.example/#x',
  'mailto:a@b.example',
  'https://a.example/;script-src *',
  'x:/callback',
  7,
])(
  'open redirect: nobody is sent to an address that was not registered (RFC 6749, 4.1.2.1; RFC 9700, 4.1.3): %p cannot be registered',
  async (uri) => {
    const other = await oauthRegister([uri])
    expect(other).toMatchObject({ error: 'invalid_redirect_uri' })
  },
)

const oauthRegister = (redirect_uris: unknown[], more = {}) =>
  world.register({ redirect_uris, ...more })

test('a code and an error carry the issuer as its metadata write it, and the state', async () => {
  const document = await fetch(`${world.url}/.well-known/oauth-authorization-server/oauth2`)
  const { issuer } = (await document.json()) as { issuer: string }
  const answer = await world.allow(world.query(client))
  expect([answer.get('iss'), answer.get('state')]).toEqual([issuer, 'its-state'])
  const wrong = await world.authorize(world.query(client, { response_type: 'token' }))
  const back = new URL(place(wrong)).searchParams
  expect([back.get('iss'), back.get('state')]).toEqual([issuer, 'its-state'])
  expect(back.get('error')).toBe('unsupported_response_type')
})

test('a code is worth nothing to another client', async () => {
  const code = (await world.allow(world.query(client))).get('code') ?? ''
  const { client_id } = await world.register()
  const other = await world.token(codeGrant(client_id, code, world.resource))
  expect([other.status, other.json.error]).toEqual([400, 'invalid_grant'])
  expect((await world.token(codeGrant(client, code, world.resource))).status).toBe(200)
})

test('code reuse: the second use ends what the first one gave (RFC 9700, 4.5)', async () => {
  const { clientId, code, access, refresh } = await world.signIn()
  expect(await calls(access)).toBe(200)
  const again = await world.token(codeGrant(clientId, code, world.resource))
  expect([again.status, again.json.error]).toEqual([400, 'invalid_grant'])
  expect(await calls(access)).toBe(401)
  const refreshed = await world.token(refreshGrant(clientId, refresh, world.resource))
  expect(refreshed.json.error).toBe('invalid_grant')
})

test.each([
  ['none at all', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a method that is plain', { code_challenge_method: 'plain' }],
  ['no method, which means plain', { code_challenge_method: undefined }],
  ['a challenge that is none', { code_challenge: 'short' }],
])('PKCE downgrade (RFC 7636, 4.4.1; RFC 9700, 2.1.1): %s is refused', async (_, changes) => {
  const response = await world.authorize(world.query(client, changes))
  expect(new URL(place(response)).searchParams.get('error')).toBe('invalid_request')
})

test('a client with a secret needs it as well', async () => {
  const { client_id } = await world.register({ token_endpoint_auth_method: 'client_secret_post' })
  const without = { code_challenge: undefined, code_challenge_method: undefined }
  const response = await world.authorize(world.query(client_id, without))
  expect(new URL(place(response)).searchParams.get('error')).toBe('invalid_request')
})

test.each([
  ['another verifier', { code_verifier: 'w'.repeat(64) }],
  ['no verifier', { code_verifier: '' }],
  ['another address', { redirect_uri: 'http://127.0.0.1:1/callback' }],
  ['another resource', { resource: 'https://other.example/mcp' }],
])(
  'PKCE downgrade (RFC 7636, 4.4.1; RFC 9700, 2.1.1): %s gets no token, and the code is used up',
  async (_, changes) => {
    const code = (await world.allow(world.query(client))).get('code') ?? ''
    const right = codeGrant(client, code, world.resource)
    expect((await world.token({ ...right, ...changes })).status).toBe(400)
    expect((await world.token(right)).json.error).toBe('invalid_grant')
  },
)

test.each(['/api/mcp/mcp', '/api/v1', '', '/mcp/', '/mcp?x'])(
  'nothing is issued for %s',
  async (path) => {
    const resource = world.app.baseUrl + path
    const response = await world.authorize(world.query(client, { resource }))
    expect(new URL(place(response)).searchParams.get('error')).toBe('invalid_target')
  },
)

test('a token without an audience, or for two, is refused (RFC 8707, 2)', async () => {
  for (const query of [
    world.query(client, { resource: undefined }),
    `${world.query(client)}&resource=${encodeURIComponent(world.resource)}`,
  ]) {
    const response = await world.authorize(query)
    expect(new URL(place(response)).searchParams.get('error')).toBe('invalid_target')
  }
})

test('a sign-in is refused at the address for tokens and over REST; a token is taken at both', async () => {
  const { access } = await world.signIn()
  expect(await calls(access)).toBe(200)
  expect((await world.mcp(access, NOTE, '/api/mcp/mcp')).status).toBe(401)
  const headers = { authorization: `Bearer ${access}` }
  expect((await fetch(`${world.url}/api/v1/agent`, { headers })).status).toBe(401)
  const response = await fetch(`${world.url}/api/v1/keys`, {
    method: 'POST',
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'An agent' }),
  })
  const { token } = (await response.json()) as { token: string }
  expect((await world.mcp(token, NOTE, '/api/mcp/mcp')).status).toBe(200)
  expect(await calls(token)).toBe(200)
})

test('a token of this server for another address is none, although it is in the database', async () => {
  const { access } = await world.signIn()
  const { db } = world.app
  const { oauthTokens } = await import('../../../src/ask/oauth/model/table.ts')
  await db.write(async (tx) => {
    await tx.update(oauthTokens).set({ resource: `${world.app.baseUrl}/api/mcp/mcp` })
    tx.emit('token', 'key_x')
  })
  expect(await calls(access)).toBe(401)
})

test('a refresh token is not accepted as access token, code or secret', async () => {
  const { refresh, code } = await world.signIn()
  expect([await calls(refresh), await calls(code)]).toEqual([401, 401])
})

test('the old one after the new one was given out', async () => {
  const { clientId, refresh, access } = await world.signIn()
  const next = await world.token(refreshGrant(clientId, refresh, world.resource))
  expect(next.status).toBe(200)
  expect(await calls(String(next.json.access_token))).toBe(200)
  const again = await world.token(refreshGrant(clientId, refresh, world.resource))
  expect([again.status, again.json.error]).toEqual([400, 'invalid_grant'])
  expect([await calls(access), await calls(String(next.json.access_token))]).toEqual([401, 401])
  const last = String(next.json.refresh_token)
  expect((await world.token(refreshGrant(clientId, last, world.resource))).status).toBe(400)
})

test('of many refreshes at once at most one is answered, and the family ends (RFC 9700, 4.14.2)', async () => {
  const { clientId, refresh } = await world.signIn()
  const grant = refreshGrant(clientId, refresh, world.resource)
  const replies = await Promise.all(Array.from({ length: 8 }, () => world.token(grant)))
  const granted = replies.filter(({ status }) => status === 200)
  expect(granted.length).toBeLessThanOrEqual(1)
  for (const { json } of granted) expect(await calls(String(json.access_token))).toBe(401)
})

test('another client cannot use it, and it stays good for its own', async () => {
  const { clientId, refresh } = await world.signIn()
  expect((await world.token(refreshGrant(client, refresh, world.resource))).status).toBe(400)
  const own = await world.token(refreshGrant(clientId, refresh, world.resource))
  expect(own.status).toBe(200)
})

test('a refresh token gives no more than was agreed to, and for no other address', async () => {
  const { clientId, refresh } = await world.signIn({ query: { scope: 'ask offline_access' } })
  const grant = refreshGrant(clientId, refresh, world.resource)
  expect((await world.token({ ...grant, scope: 'ask propose_scope' })).json.error).toBe(
    'invalid_scope',
  )
  const elsewhere = `${world.app.baseUrl}/api/mcp/mcp`
  expect((await world.token({ ...grant, resource: elsewhere })).json.error).toBe('invalid_target')
  expect((await world.token(grant)).json.scope).toBe('ask offline_access')
})

test('tokens in the address are not read at the MCP address (RFC 9700, 4.3.2)', async () => {
  const { access } = await world.signIn()
  const reply = await world.mcp(undefined, NOTE, `/mcp?access_token=${access}`)
  expect(reply.status).toBe(401)
  expect(reply.text).toContain('address')
})

test('tokens in the address are not read at the token endpoint (RFC 9700, 4.3.2)', async () => {
  const { clientId, refresh } = await world.signIn()
  const grant = refreshGrant(clientId, refresh, world.resource)
  const inAddress = `${world.url}/oauth2/token?${new URLSearchParams(grant)}`
  const response = await fetch(inAddress, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=refresh_token',
  })
  expect(response.status).toBe(400)
  expect((await world.token(grant)).status).toBe(200)
})

test.each([
  ['from another site', { origin: 'https://evil.example' }],
  ['without saying from where', { origin: '' }],
  ['from a frame elsewhere', { 'sec-fetch-site': 'cross-site' }],
])(
  'cross-site: nobody is connected without a tap on our own page: a form %s',
  async (_, headers) => {
    const fields = { request: world.query(client), decision: 'allow', may: 'ask' }
    const response = await world.post('/oauth2/authorize', fields, headers)
    expect(response.status).toBe(403)
  },
)

test('a link cannot decide, and a form for somebody else asks again', async () => {
  const linked = await world.authorize(`${world.query(client)}&decision=allow&may=ask`)
  expect(linked.status).toBe(200)
  const fields = { request: world.query(client), decision: 'allow', may: 'ask', as: 'eve' }
  const response = await world.post('/oauth2/authorize', fields)
  expect([response.status, place(response)]).toEqual([200, ''])
})

test('the page stands in no frame, and sends forms only here and to the client', async () => {
  const response = await world.authorize(world.query(client))
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("form-action 'self' https: http://127.0.0.1:19876;")
  expect(policy).toContain("default-src 'none'")
})

test('a stranger signs in first, and nothing of the client is looked up', async () => {
  const response = await world.authorize(world.query('https://evil.example/c.json'), {
    cookie: '',
  })
  const to = new URL(place(response), world.url)
  expect(to.pathname).toBe('/sign-in')
  expect(to.searchParams.get('next')).toBe(
    `/oauth2/authorize?${world.query('https://evil.example/c.json')}`,
  )
})

test('a code that leads back to a device is never given without the page, however often it was allowed', async () => {
  const { clientId } = await world.signIn()
  const response = await world.authorize(world.query(clientId))
  expect([response.status, place(response)]).toEqual([200, ''])
  const silent = await world.authorize(world.query(clientId, { prompt: 'none' }))
  expect(new URL(place(silent)).searchParams.get('error')).toBe('consent_required')
})

test('10,000 registrations: an address is slowed down, and all together fill no disk (RFC 7591, 5)', async () => {
  await using flooded = await oauthWorld()
  const { registerClient } = await import('../../../src/ask/oauth/register-client.ts')
  const early = await flooded.register()
  const statuses = new Set<unknown>()
  for (let i = 0; i < 35; i++) statuses.add((await flooded.register({}, '192.0.2.1')).error)
  expect([...statuses]).toContain('temporarily_unavailable')
  // From as many addresses as it takes.
  const { db } = flooded.app
  let now = Date.now()
  const clock = { now: () => now } as never
  const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }
  const results = await Promise.all(
    Array.from({ length: 10_000 }, () => registerClient({ db, clock }, metadata)),
  )
  expect(results.filter((one) => one === 'full').length).toBeGreaterThan(10_000 - UNUSED_MAX)
  // Whoever signs in meanwhile still can, and an hour later there is room.
  const answer = await flooded.allow(flooded.query(early.client_id))
  expect(answer.get('code')).toStartWith('bkac_')
  now += 3_600_001
  expect(await registerClient({ db, clock }, metadata)).not.toBe('full')
})

test('every request without a valid token is told where to sign in, whatever its method', async () => {
  const metadata = `${world.app.baseUrl}/.well-known/oauth-protected-resource/mcp`
  const parameters = `resource_metadata="${metadata}", scope="ask propose_scope"`
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
    const response = await fetch(`${world.url}/mcp`, { method })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer ${parameters}`,
    ])
  }
  for (const body of [rpc('initialize', {}), rpc('server/discover'), rpc('tools/list'), NOTE]) {
    const { status, headers } = await world.mcp('bkat_wrong', body)
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer error="invalid_token", ${parameters}`,
    ])
  }
})
