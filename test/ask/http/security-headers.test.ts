import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PASSWORD } from '../../support/auth-server.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { startedApp } from '../../support/started-app.ts'
import { expectSafeHeaders } from './page-headers.ts'
import type { Row } from './who/row.ts'
import { bodyOf, CATALOG, methodAndPath, ROWS } from './who/rows.ts'
import { FORM, type WhoWorld, whoWorld } from './who/world.ts'

let world: WhoWorld
beforeAll(async () => {
  world = await whoWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Said by anybody to anybody: nothing of a person is in them. */
const PUBLIC = /^GET \/(assets|sw\.js|manifest|favicon|offline|openapi|readyz$|sign-in)/

async function answered(row: Row): Promise<Headers> {
  const { method, path } = methodAndPath(row)
  const thing = row.thing ? encodeURIComponent(await row.thing(world)) : ''
  const { headers, text } = bodyOf(row)
  const response = await world.send(method, path.replace(/:\w+/, thing), {
    headers: { origin: world.app.url, ...headers, ...world.headersOf('owner') },
    ...(text === undefined ? {} : { body: text }),
  })
  await response.body?.cancel()
  if (/sign-out|revoke-(other-)?sessions|POST \/pair/.test(row.route)) await world.signIn()
  return response.headers
}

test.each(ROWS.map((row) => [row.route, row] as const))(
  '%s is framed by nobody, sniffed by nobody, and tells no other site where it was',
  async (route, row) => {
    const headers = await answered(row)
    const policy = headers.get('content-security-policy') ?? ''
    // A worker is in no frame; what it may load is said instead.
    if (route === 'GET /sw.js') expect(policy).toContain("default-src 'none'")
    expectSafeHeaders(headers)
    // What is open to scripts of all sites may be drawn into them as well; nothing else may.
    const open = headers.get('access-control-allow-origin') === '*'
    expect(headers.get('cross-origin-resource-policy')).toBe(open ? 'cross-origin' : 'same-origin')
    if (open) expect(CATALOG).toContain(row)
    expect(headers.has('strict-transport-security')).toBe(false)
    const cacheControl = String(headers.get('cache-control'))
    if (CATALOG.includes(row)) {
      // The same for everybody: any cache may keep it, so no session may be in it.
      expect(cacheControl).toMatch(/^public|no-store/)
      expect(headers.getSetCookie()).toEqual([])
    } else if (!PUBLIC.test(route)) expect(cacheControl).toContain('no-store')
  },
)

test('a sign-in is a new session, whatever cookie came with it, and cookies are for the server alone', async () => {
  const { app, send } = world
  const body = new URLSearchParams({ email: 'member@example.org', password: PASSWORD }).toString()
  const planted = 'beckon.session_token=planted.c2lnbmF0dXJl'
  const headers = { origin: app.url, cookie: planted, ...FORM }
  const first = await send('POST', '/sign-in', { headers, body })
  const held = cookieOf(first.headers)
  const second = await send('POST', '/sign-in', { headers: { ...headers, cookie: held }, body })
  expect(held).not.toContain('planted')
  expect(cookieOf(second.headers)).not.toBe(held)
  for (const cookie of [...first.headers.getSetCookie(), ...second.headers.getSetCookie()]) {
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; SameSite=(Lax|Strict)/i)
    expect(cookie).not.toMatch(/; Domain=/i)
  }
})

test('behind https cookies stay on https, and browsers are told to as well', async () => {
  const env = { BECKON_BASE_URL: 'https://beckon.example.org' }
  await using started = await startedApp({ env })
  const { url, setUpLink } = started.app
  const code = new URL(setUpLink ?? '').searchParams.get('key') ?? ''
  const owner = { code, name: 'Ada', email: 'ada@example.org', password: PASSWORD }
  const response = await fetch(`${url}/setup`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://beckon.example.org', ...FORM },
    body: new URLSearchParams(owner).toString(),
  })
  const cookies = response.headers.getSetCookie()
  expect([response.status, cookies.length > 0]).toEqual([303, true])
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-/)
    expect(cookie).toMatch(/; Secure/)
  }
  expect(response.headers.get('strict-transport-security')).toContain('max-age=')
})
