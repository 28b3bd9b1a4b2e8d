import { afterAll, beforeAll, expect, test } from 'bun:test'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { rpc, toolCall } from '../../support/mcp-world.ts'
import { codeGrant, type OauthWorld, oauthWorld, refreshGrant } from '../../support/oauth-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

const SITE = 'https://client.example/callback'
const NOTE = toolCall('send_notification', { title: 'Hello', body: 'There.' })
const SCOPE = toolCall('propose_scope', {
  ...{ doneWhen: 'Green.', allowedPaths: ['src/**'], sessionId: 's', timeoutMs: 1_000 },
})

// The clock runs, and can be set forward.
let ahead = 0
const clock = { ...systemClock, now: () => Date.now() + ahead }
let world: OauthWorld
beforeAll(async () => {
  world = await oauthWorld({ clock })
})
afterAll(() => world[Symbol.asyncDispose]())

const place = (response: Response) => response.headers.get('location') ?? ''
const calls = async (token: string) => (await world.mcp(token, NOTE)).status

type Key = { id: string; name: string; revokedAt?: string }
async function keys(cookie = world.cookie): Promise<Key[]> {
  const body = (await (await world.get('/api/v1/keys', cookie)).json()) as { keys: Key[] }
  return body.keys.filter(({ revokedAt }) => !revokedAt)
}

async function member(name: string) {
  const who = { email: `${name.toLowerCase()}@example.org`, name, role: 'member' as const }
  const person = await addPersonWithPassword({ db: world.db, clock }, who)
  return { person, cookie: await signInAs(world.app, person.id) }
}

/** Allows a client as somebody else. */
async function signInOf(cookie: string, name: string) {
  const { client_id: clientId } = await world.register({ client_name: name })
  const request = world.query(clientId)
  const page = await (await world.authorize(request, { cookie })).text()
  const as = /name="as" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const fields = { request, as, decision: 'allow', may: 'ask' }
  const response = await world.post('/oauth2/authorize', fields, { cookie })
  const code = new URL(place(response)).searchParams.get('code') ?? ''
  const { json } = await world.token(codeGrant(clientId, code, world.resource))
  return String(json.access_token)
}

test('a tool that was not allowed is 403 with the scope to ask for; asked for, it is the same agent', async () => {
  const { clientId, access } = await world.signIn({
    register: { client_name: 'Steps' },
    query: { scope: 'ask' },
  })
  const refused = await world.mcp(access, SCOPE)
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer error="insufficient_scope", resource_metadata="${world.app.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="ask propose_scope"`,
  ])
  expect(refused.json).toMatchObject({ id: 1, error: { data: { code: 'forbidden' } } })
  const before = (await keys()).filter(({ name }) => name === 'Steps')
  const code = (await world.allow(world.query(clientId))).get('code') ?? ''
  const { json } = await world.token(codeGrant(clientId, code, world.resource))
  expect(json.scope).toBe('ask propose_scope offline_access')
  expect((await world.mcp(String(json.access_token), SCOPE)).status).toBe(200)
  expect((await keys()).filter(({ name }) => name === 'Steps')).toMatchObject([
    { id: before[0]?.id },
  ])
})

test('what the person takes back later counts for tokens that are out already', async () => {
  const { clientId, access } = await world.signIn()
  expect((await world.mcp(access, SCOPE)).status).toBe(200)
  await world.allow(world.query(clientId, { scope: 'ask' }))
  expect((await world.mcp(access, SCOPE)).status).toBe(403)
  expect(await calls(access)).toBe(200)
})

test('scopes that are not ours are left out, and without any all of ours are offered', async () => {
  const { client_id: clientId } = await world.register()
  for (const [scope, offered] of [
    ['ask openid email', ['ask']],
    ['openid', ['ask']],
    ['admin', ['ask']],
    ['offline_access', ['ask', 'propose_scope']],
    [undefined, ['ask', 'propose_scope']],
  ] as const) {
    const page = await (await world.authorize(world.query(clientId, { scope }))).text()
    const permissions = [...page.matchAll(/name="may" value="(\w+)"/g)].map(([, may]) => may)
    expect(permissions).toEqual([...offered])
  }
})

test('a client that says little of itself is known by its addresses', async () => {
  const bare = { token_endpoint_auth_method: undefined, grant_types: undefined }
  const program = await world.register({ ...bare, redirect_uris: ['http://localhost/cb'] })
  const editor = await world.register({ ...bare, redirect_uris: ['cursor://x.y/oauth/callback'] })
  const site = await world.register({ ...bare, redirect_uris: [SITE] })
  const methods = [program, editor, site].map((one) => one.token_endpoint_auth_method)
  expect(methods).toEqual(['none', 'none', 'client_secret_basic'])
  expect(site.client_secret).toStartWith('bkcs_')
  expect(program).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'] })
  expect(program.client_secret).toBeUndefined()
})

test('a refresh token is for who registers for it or asks for it', async () => {
  const plain = { register: { grant_types: ['authorization_code'] } }
  expect((await world.signIn(plain)).json.refresh_token).toBeUndefined()
  const tokens = await world.signIn({ ...plain, query: { scope: 'ask offline_access' } })
  expect(tokens.json.refresh_token).toStartWith('bkrt_')
})

test('a client that an owner allowed withdraws its own questions alone', async () => {
  const { access } = await world.signIn()
  const foreign = await world.ask()
  const cancel = (correlationId: string) =>
    world.mcp(access, toolCall('cancel_question', { correlationId }))
  expect(JSON.stringify((await cancel(foreign)).json)).toContain('Another token asked')
  const reply = await world.mcp(access, toolCall('ask_user', { question: 'Go?', wait: false }))
  const own = /q_[0-9a-z]{25}/.exec(JSON.stringify(reply.json))?.[0] ?? ''
  expect((await cancel(own)).json).toMatchObject({
    result: { structuredContent: { cancelled: true } },
  })
})

test('revoked on the page: calls, a call that is held, and its refresh token end; it may ask again', async () => {
  const { clientId, access, refresh } = await world.signIn({ register: { client_name: 'Held' } })
  const reply = await world.mcp(access, toolCall('ask_user', { question: 'Go?', wait: false }))
  const text = JSON.stringify(reply.json)
  const correlationId = /q_[0-9a-z]{25}/.exec(text)?.[0]
  // The stream begins at once, and ends with the call.
  const held = await fetch(world.resource.replace(world.app.baseUrl, world.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(toolCall('wait_for_answer', { correlationId })),
  })
  expect(held.headers.get('content-type')).toBe('text/event-stream')
  const [key] = (await keys()).filter(({ name }) => name === 'Held')
  expect((await world.post(`/settings/tokens/${key?.id}/revoke`, {})).status).toBe(303)
  expect(await held.text()).toContain('"code":"unauthenticated"')
  expect(await calls(access)).toBe(401)
  const refreshed = await world.token(refreshGrant(clientId, refresh, world.resource))
  expect(refreshed.json.error).toBe('invalid_grant')
  // Allowed again it is another agent.
  const code = (await world.allow(world.query(clientId))).get('code') ?? ''
  const again = await world.token(codeGrant(clientId, code, world.resource))
  expect(await calls(String(again.json.access_token))).toBe(200)
  expect((await keys()).find(({ name }) => name === 'Held')?.id).not.toBe(key?.id)
})

test('revoked by the client itself (RFC 7009)', async () => {
  const { clientId, access, refresh } = await world.signIn()
  const send = (token: string) =>
    fetch(`${world.url}/oauth2/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, token }).toString(),
    })
  expect((await send('nothing')).status).toBe(200)
  expect(await calls(access)).toBe(200)
  const reply = await world.mcp(access, toolCall('ask_user', { question: 'Go?', wait: false }))
  const correlationId = /q_[0-9a-z]{25}/.exec(JSON.stringify(reply.json))?.[0]
  const held = await fetch(world.resource.replace(world.app.baseUrl, world.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(toolCall('wait_for_answer', { correlationId })),
  })
  expect((await send(refresh)).status).toBe(200)
  expect(await held.text()).toContain('"code":"unauthenticated"')
  expect(await calls(access)).toBe(401)
})

test('revoked by the client on one machine, while it is signed in on another: that goes on', async () => {
  const { clientId, refresh } = await world.signIn()
  const code = (await world.allow(world.query(clientId))).get('code') ?? ''
  const other = await world.token(codeGrant(clientId, code, world.resource))
  await fetch(`${world.url}/oauth2/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, token: refresh }).toString(),
  })
  expect(await calls(String(other.json.access_token))).toBe(200)
})

test('a member sees and revokes their own; an owner all; who is removed takes theirs along', async () => {
  const ada = await member('Ada')
  const owners = await world.signIn({ register: { client_name: 'Of the owner' } })
  const hers = await signInOf(ada.cookie, 'Of Ada')
  expect((await keys(ada.cookie)).map(({ name }) => name)).toEqual(['Of Ada'])
  const [foreign] = (await keys()).filter(({ name }) => name === 'Of the owner')
  const revoke = `/settings/tokens/${foreign?.id}/revoke`
  expect((await world.post(revoke, {}, { cookie: ada.cookie })).status).toBe(403)
  expect(await calls(owners.access)).toBe(200)
  const page = await (await world.get('/settings/tokens')).text()
  expect(page.replace(/<[^>]+>/g, '')).toMatch(/Signed in · may ask and notify.*Ada’s/)
  expect(await calls(hers)).toBe(200)
  const gone = await world.post(`/settings/people/${ada.person.id}/remove`, {})
  expect(gone.status).toBe(303)
  expect(await calls(hers)).toBe(401)
})

test('what a client does is in the trail under its name, and so is that it was connected', async () => {
  await world.signIn({ register: { client_name: 'In the trail' } })
  const trail = await (await world.get('/audit')).text()
  expect(trail).toContain('Client connected')
  expect(trail).toContain('In the trail')
})

const atSite = { redirect_uri: SITE }

test('the page is left out only for a client at a site of its own that was allowed before, with no more than then', async () => {
  const { client_id } = await world.register({ redirect_uris: [SITE] })
  const first = await world.authorize(world.query(client_id, atSite))
  expect(first.status).toBe(200)
  await world.allow(world.query(client_id, { ...atSite, scope: 'ask' }))
  const again = await world.authorize(world.query(client_id, { ...atSite, scope: 'ask' }))
  expect(new URL(place(again)).searchParams.get('code')).toStartWith('bkac_')
  for (const changes of [{}, { scope: 'ask', prompt: 'consent' }]) {
    const page = await world.authorize(world.query(client_id, { ...atSite, ...changes }))
    expect(page.status).toBe(200)
  }
  // After our own sign-in the person looks at it.
  const signedIn = await world.authorize(world.query(client_id, { ...atSite, scope: 'ask' }), {
    'sec-fetch-site': 'same-origin',
  })
  expect(signedIn.status).toBe(200)
})

test('deny sends it away, and prompt=none asks nobody', async () => {
  const { client_id } = await world.register({ redirect_uris: [SITE] })
  const denied = await world.allow(world.query(client_id, atSite), { decision: 'deny' })
  expect([denied.get('error'), denied.get('code')]).toEqual(['access_denied', null])
  const silent = await world.authorize(world.query(client_id, { ...atSite, prompt: 'none' }))
  expect(new URL(place(silent)).searchParams.get('error')).toBe('consent_required')
})

async function setUp(fields: Record<string, string>) {
  const response = await world.post('/settings/clients', { redirectUris: SITE, ...fields })
  const page = (await response.text()).replace(/<[^>]+>/g, ' ')
  return {
    status: response.status,
    id: /app_[0-9a-z]{25}/.exec(page)?.[0] ?? '',
    secret: /bkcs_\w+/.exec(page)?.[0] ?? '',
    page,
  }
}

test('clients that an owner sets up: sign in with their secret alone, and end with their removal', async () => {
  const { id, secret } = await setUp({ name: 'By hand', secret: 'yes' })
  const query = world.query(id, { redirect_uri: SITE })
  const page = await (await world.authorize(query)).text()
  expect(page).toContain('set up by an owner here')
  const code = (await world.allow(query)).get('code') ?? ''
  const grant = { ...codeGrant(id, code, world.resource), redirect_uri: SITE }
  for (const client_secret of ['', 'bkcs_wrong', secret.slice(0, -1)]) {
    const refused = await world.token({ ...grant, client_secret })
    expect([refused.status, refused.json.error]).toEqual([401, 'invalid_client'])
  }
  const { client_id: _, ...rest } = grant
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const reply = await world.token(rest, { authorization: basic })
  expect(reply.status).toBe(200)
  expect(await calls(String(reply.json.access_token))).toBe(200)
  expect((await world.post(`/settings/clients/${id}/remove`, {})).status).toBe(303)
  expect(await calls(String(reply.json.access_token))).toBe(401)
  expect((await world.authorize(query)).status).toBe(400)
})

test('a wrong address comes back with what was typed', async () => {
  const { status, page } = await setUp({ name: 'Wrong', redirectUris: 'http://a.example/x' })
  expect([status, page.includes('http://a.example/x')]).toEqual([422, true])
})

test('codes, access tokens and refresh tokens end with their time, and are then deleted', async () => {
  const { clientId, access, refresh } = await world.signIn()
  const late = (await world.allow(world.query(clientId))).get('code') ?? ''
  ahead += 2 * 60_000
  expect((await world.token(codeGrant(clientId, late, world.resource))).json.error).toBe(
    'invalid_grant',
  )
  expect(await calls(access)).toBe(200)
  ahead += 58 * 60_000
  const expired = await world.mcp(access, rpc('tools/list'))
  expect([expired.status, expired.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('error="invalid_token"'),
  ])
  const next = await world.token(refreshGrant(clientId, refresh, world.resource))
  expect(next.status).toBe(200)
  ahead += 60 * 24 * 3_600_000
  const old = refreshGrant(clientId, String(next.json.refresh_token), world.resource)
  expect((await world.token(old)).json.error).toBe('invalid_grant')
  ahead += 2 * 24 * 3_600_000
  await purgeOld({ db: world.db, clock, holder: 'test', retentionDays: 9_000 })
  const left = await world.token(old)
  expect(left.json.error_description).toContain('unknown')
})

test('an auditor is told that they connect no agents, and no client gets a code', async () => {
  const who = { email: 'rita@example.org', name: 'Rita', role: 'auditor' as const }
  const { id } = await addPersonWithPassword({ db: world.db, clock }, who)
  const cookie = await signInAs(world.app, id)
  const { client_id: clientId } = await world.register({ client_name: 'Of an auditor' })
  const reply = await world.authorize(world.query(clientId), { cookie })
  const page = await reply.text()
  expect([reply.status, page.includes('You are an auditor')]).toEqual([403, true])
  expect(page).not.toContain('value="allow"')
  const silent = await world.authorize(world.query(clientId, { prompt: 'none' }), { cookie })
  expect(new URL(place(silent)).searchParams.get('error')).toBe('access_denied')
})
