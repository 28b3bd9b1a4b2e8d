import { Database } from 'bun:sqlite'
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { join } from 'node:path'
import { POST_PATHS } from '../../../src/ask/sign-in/auth-routes.ts'
import { chooseWorkspace, createToken, revokeToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { authServer, PASSWORD } from '../../support/auth-server.ts'
import { onSqlite } from '../../support/on-sqlite.ts'
import { cookieOf } from '../../support/sign-in.ts'

afterEach(() => void setSystemTime())

const ADA = { email: 'ada@example.com', password: PASSWORD }

test('a person signs in with the password, is known by the cookie, and signs out', async () => {
  await using server = await authServer()
  await server.addOwner()
  const response = await server.post('/api/auth/sign-in/email', ADA)
  expect(response.status).toBe(200)
  const cookie = cookieOf(response.headers)
  expect(await server.who(cookie)).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    role: 'owner',
  })

  const out = await server.post('/api/auth/sign-out', {}, { cookie })
  expect(out.status).toBe(200)
  expect(await server.who(cookie)).toBeNull()
})

test('the cookie is for the browser alone, for 30 days, and for https where there is https', async () => {
  await using plain = await authServer()
  await plain.addOwner()
  const [cookie = ''] = (await plain.post('/api/auth/sign-in/email', ADA)).headers.getSetCookie()
  expect(cookie).toStartWith('beckon.session_token=')
  const attributes = cookie.split('; ').slice(1)
  expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])

  await using secure = await authServer('https://beckon.example.com')
  await secure.addOwner()
  const origin = { origin: 'https://beckon.example.com' }
  const response = await secure.post('/api/auth/sign-in/email', ADA, origin)
  const [safe = ''] = response.headers.getSetCookie()
  expect(safe).toStartWith('__Host-beckon.session_token=')
  expect(safe).toContain('; Secure')
  expect(await secure.who(cookieOf(response.headers))).toMatchObject({ name: 'Ada' })
})

test('a wrong password and an unknown address get the same answer, and no cookie', async () => {
  await using server = await authServer()
  await server.addOwner()
  const wrong = await server.post('/api/auth/sign-in/email', { ...ADA, password: 'wrong horse' })
  const unknown = await server.post('/api/auth/sign-in/email', { ...ADA, email: 'eve@example.com' })
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(await wrong.json()).toEqual(await unknown.json())
  expect(wrong.headers.getSetCookie()).toEqual([])
  const form = server.authentication.signIn(new Request(server.url), { ...ADA, password: 'x' })
  await expect(form).rejects.toMatchObject({ code: 'unauthenticated' })
})

onSqlite(
  'nobody signs up over HTTP, and what is not needed of the library is not there',
  async () => {
    await using server = await authServer()
    const sign = { email: 'eve@example.com', password: PASSWORD, name: 'Eve' }
    const paths = [
      'sign-up/email',
      'sign-in/social',
      'delete-user',
      'update-user',
      'sign-in-as',
      'x',
    ]
    for (const path of [...paths, 'request-password-reset', '..%2fauth%2fsign-up%2femail']) {
      const response = await server.post(`/api/auth/${path}`, sign)
      expect([path, response.status]).toEqual([path, 404])
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    }
    using file = new Database(join(server.folder, 'beckon.db'), { readonly: true })
    expect(file.query('select count(*) as n from people').get()).toEqual({ n: 0 })
  },
)

test('a request from another site, or from nowhere, changes nothing', async () => {
  await using server = await authServer()
  await server.addOwner()
  const sources: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: server.url, 'sec-fetch-site': 'cross-site' },
    { origin: server.url, 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
  ]
  for (const source of sources) {
    const response = await server.post('/api/auth/sign-in/email', ADA, source)
    expect([source, response.status]).toEqual([source, 403])
    expect(response.headers.getSetCookie()).toEqual([])
  }
  const form = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  expect((await server.post('/api/auth/sign-in/email', ADA, form)).status).toBe(200)
})

test('attempts to sign in are limited by address', async () => {
  await using server = await authServer()
  await server.addOwner()
  // Otherwise a slow machine would be allowed another attempt meanwhile.
  setSystemTime(new Date())
  for (let i = 0; i < 10; i++) {
    await server.post('/api/auth/sign-in/email', { ...ADA, password: 'wrong horse' })
  }
  const response = await server.post('/api/auth/sign-in/email', ADA)
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  const form = server.authentication.signIn(new Request(server.url), ADA)
  await expect(form).rejects.toMatchObject({ code: 'rate_limited' })
})

test('a forged, cut or foreign cookie is nobody', async () => {
  await using server = await authServer()
  await server.addOwner()
  const cookie = cookieOf((await server.post('/api/auth/sign-in/email', ADA)).headers)
  const [token = ''] = cookie.split('.').slice(1)
  const forged = [`${cookie.slice(0, -8)}AAAAAA%3D`, `beckon.${token}`, 'beckon.session_token=x']
  for (const other of [...forged, 'beckon.session_token=', '', 'beckon.session_token=%00%ff']) {
    expect(await server.who(other)).toBeNull()
  }
})

onSqlite('a sign-in that is used goes on for another 30 days', async () => {
  await using server = await authServer()
  await server.addOwner()
  const cookie = cookieOf((await server.post('/api/auth/sign-in/email', ADA)).headers)
  const fresh = await fetch(`${server.url}/who`, { headers: { cookie } })
  expect(fresh.headers.getSetCookie()).toEqual([])

  using file = new Database(join(server.folder, 'beckon.db'))
  file.run('update sign_ins set expires_at = expires_at - 2 * 86400000')
  const later = await fetch(`${server.url}/who`, { headers: { cookie } })
  const [renewed = ''] = later.headers.getSetCookie()
  expect(renewed).toStartWith('beckon.session_token=')
  expect(renewed).toContain('Max-Age=2592000')

  file.run('update sign_ins set expires_at = 1')
  expect(await server.who(cookie)).toBeNull()
})

test('a passkey is offered to a signed-in person alone, for the name of the server', async () => {
  await using server = await authServer()
  await server.addOwner()
  const path = `${server.url}/api/auth/passkey/generate-register-options`
  expect((await fetch(path)).status).toBe(401)
  const cookie = cookieOf((await server.post('/api/auth/sign-in/email', ADA)).headers)
  const response = await fetch(path, { headers: { cookie } })
  expect(await response.json()).toMatchObject({
    rp: { name: 'Beckon', id: 'localhost' },
    user: { name: 'ada@example.com' },
    // Found by the browser without an address typed in.
    authenticatorSelection: { residentKey: 'required' },
  })
})

test('an agent is known by its token; without, with a wrong or a revoked one it is 401', async () => {
  await using server = await authServer()
  const workspaceId = await chooseWorkspace(server, undefined)
  const { token, record } = await createToken(server, { workspaceId, name: 'laptop' })
  const call = (authorization?: string) =>
    fetch(`${server.url}/api/agent`, { headers: authorization ? { authorization } : {} })

  expect(await (await call(`Bearer ${token}`)).json()).toMatchObject({ tokenName: 'laptop' })
  const refused = [undefined, `Basic ${token}`, token, 'Bearer', `Bearer ${token}x`, 'Bearer bk_x']
  for (const authorization of refused) {
    const response = await call(authorization)
    expect([authorization, response.status]).toEqual([authorization, 401])
    expect(response.headers.get('www-authenticate')).toStartWith('Bearer')
  }
  await revokeToken(server, { id: record.id })
  const response = await call(`Bearer ${token}`)
  expect(response.status).toBe(401)
  expect(await response.text()).toContain('This token was revoked')
})

test('a flood of wrong tokens is slowed down; a right one is not counted', async () => {
  await using server = await authServer()
  const workspaceId = await chooseWorkspace(server, undefined)
  const { token } = await createToken(server, { workspaceId, name: 'laptop' })
  const call = (text: string) =>
    fetch(`${server.url}/api/agent`, { headers: { authorization: `Bearer ${text}` } })
  const statuses = []
  for (let i = 0; i < 32; i++) statuses.push((await call('bk_wrong')).status)
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401))
  expect(statuses.at(-1)).toBe(429)
  expect((await call(token)).status).toBe(200)
})

onSqlite('a full disk is said as such, by the form and by the API', async () => {
  await using server = await authServer()
  await server.addOwner()
  // SQLite's own limit on pages answers like a disk without room; this row needs several.
  await server.db.orm.run('pragma max_page_count = 1')
  const headers = { 'user-agent': 'x'.repeat(12_000) }
  const request = new Request(server.url, { headers })
  const refused = server.authentication.signIn(request, ADA)
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  const response = await server.post('/api/auth/sign-in/email', ADA, headers)
  expect(response.status).toBe(503)
  await server.db.orm.run('pragma max_page_count = 1000000')
  await server.authentication.signIn(request, ADA)
})

test('a body that is no object is refused wherever it is sent, and is no fault of the server', async () => {
  await using server = await authServer()
  await server.addOwner()
  const cookie = cookieOf((await server.post('/api/auth/sign-in/email', ADA)).headers)
  for (const path of POST_PATHS) {
    if (path === '/sign-in/email' || path === '/passkey/verify-authentication') continue
    for (const body of [null, 5, 'x', [], true]) {
      const response = await server.post(`/api/auth${path}`, body, { cookie })
      expect([path, body, response.status >= 400 && response.status < 500]).toEqual([
        path,
        body,
        true,
      ])
    }
  }
  for (const body of [null, 5, 'x', []]) {
    expect((await server.post('/api/auth/sign-in/email', body)).status).toBe(400)
  }
})

test('an address that cannot be made text is refused like any other that is none', async () => {
  await using server = await authServer()
  const body = { email: { toString: 1 }, password: PASSWORD }
  expect((await server.post('/api/auth/sign-in/email', body)).status).toBe(400)
})
