import { expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { beginPairing } from '../../../src/ask/sign-in/pair-device.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { softPasskey } from '../../support/soft-passkey.ts'

const MARA = { email: 'mara@example.org', password: PASSWORD }

/** Whether the server still knows the sign-in of this cookie. */
async function holds(world: PageWorld, cookie: string): Promise<boolean> {
  return (await world.get('/api/v1/inbox', cookie)).status === 200
}

function postJson(world: PageWorld, path: string, body: unknown, cookie = '') {
  return fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: world.url, cookie },
    body: JSON.stringify(body),
  })
}

async function challenge(world: PageWorld, path: string, cookie: string) {
  const response = await world.get(`/api/auth/passkey${path}`, cookie)
  const { challenge } = (await response.json()) as { challenge: string }
  return { challenge, cookie: [cookie, cookieOf(response.headers)].filter(Boolean).join('; ') }
}

/** Every way to a new sign-in, from a browser that has one already. */
const WAYS: Record<string, (world: PageWorld, cookie: string) => Promise<Response>> = {
  'the form': (world, cookie) => world.post('/sign-in', MARA, { cookie }),
  'the API': (world, cookie) => postJson(world, '/api/auth/sign-in/email', MARA, cookie),
  async 'a pairing link'(world, cookie) {
    const mara = await findPersonByEmail(world.db.read, MARA.email)
    if (!mara) throw new Error('no Mara')
    const { code } = await beginPairing({ db: world.db, clock }, mara)
    return world.post(`/pair/${code}`, {}, { cookie })
  },
  async 'a passkey'(world, cookie) {
    const passkey = softPasskey('localhost', world.url)
    const offered = await challenge(world, '/generate-register-options', cookie)
    const body = { response: passkey.register(offered.challenge), name: 'Phone' }
    const added = await postJson(
      world,
      '/api/auth/passkey/verify-registration',
      body,
      offered.cookie,
    )
    expect(added.status).toBe(200)
    const reply = await challenge(world, '/generate-authenticate-options', cookie)
    const response = passkey.signIn(reply.challenge)
    return postJson(
      world,
      '/api/auth/passkey/verify-authentication',
      { response },
      `${cookie}; ${reply.cookie}`,
    )
  },
}

test.each(Object.entries(WAYS))(
  'with %s a browser gets a new sign-in, and the one it had is over',
  async (_, way) => {
    await using world = await pageWorld()
    const [elsewhere, before] = [await world.otherBrowser(), await world.otherBrowser()]
    const response = await way(world, before)
    expect(response.status).toBeLessThan(400)
    const after = cookieOf(response.headers)
    expect(after.split('=')[1]).not.toBe(before.split('=')[1])
    expect([await holds(world, after), await holds(world, before)]).toEqual([true, false])
    // Another browser of the same person is none of its business.
    expect(await holds(world, elsewhere)).toBe(true)
  },
)

test('a failed attempt ends nothing', async () => {
  await using world = await pageWorld()
  const wrong = { ...MARA, password: 'wrong horse' }
  await world.post('/sign-in', wrong)
  await postJson(world, '/api/auth/sign-in/email', wrong, world.cookie)
  expect(await holds(world, world.cookie)).toBe(true)
})

test('a new password ends every other sign-in, and the one that chose it is new', async () => {
  await using world = await pageWorld()
  const other = await world.otherBrowser()
  const body = { currentPassword: PASSWORD, newPassword: 'another long one' }
  const sly = { ...body, revokeOtherSessions: false }
  const response = await postJson(world, '/api/auth/change-password', sly, world.cookie)
  expect(response.status).toBe(200)
  expect([await holds(world, other), await holds(world, world.cookie)]).toEqual([false, false])
  expect(await holds(world, cookieOf(response.headers))).toBe(true)
  expect((await world.post('/sign-in', MARA, { cookie: '' })).status).toBe(401)
})

test('guesses at the password of an open browser count for its person, wherever they come from', async () => {
  await using world = await pageWorld({ env: { BECKON_TRUST_PROXY: 'loopback' } })
  const asks = Array.from({ length: 24 }, (_, n) =>
    fetch(`${world.url}/api/auth/change-password`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: world.url,
        cookie: world.cookie,
        'x-forwarded-for': `203.0.113.${n}`,
      },
      body: JSON.stringify({ currentPassword: 'wrong', newPassword: 'another long one' }),
    }),
  )
  const statuses = (await Promise.all(asks)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([400, 429]))
})

test('signing out is over on the server too, and so is every sign-in that is revoked', async () => {
  await using world = await pageWorld()
  const form = await world.otherBrowser()
  const api = await world.otherBrowser()
  const third = await world.otherBrowser()
  const last = await world.otherBrowser()
  await world.post('/sign-out', {}, { cookie: form })
  await postJson(world, '/api/auth/sign-out', {}, api)
  expect([await holds(world, form), await holds(world, api)]).toEqual([false, false])
  await postJson(world, '/api/auth/revoke-other-sessions', {}, last)
  expect([await holds(world, third), await holds(world, world.cookie)]).toEqual([false, false])
  await postJson(world, '/api/auth/revoke-sessions', {}, last)
  expect(await holds(world, last)).toBe(false)
})

const PUBLIC = 'https://beckon.example.org'

test('behind https every cookie belongs to this one name: no sibling can plant one', async () => {
  await using world = await pageWorld({ env: { BECKON_BASE_URL: PUBLIC } })
  const signIn = (headers = {}) =>
    world.post('/sign-in', MARA, { origin: PUBLIC, cookie: '', ...headers })
  const signedIn = await signIn()
  const offered = await world.get('/api/auth/passkey/generate-authenticate-options', '')
  const cookies = [...signedIn.headers.getSetCookie(), ...offered.headers.getSetCookie()]
  expect(cookies.length).toBeGreaterThanOrEqual(2)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).toMatch(/; Secure/)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=(Lax|Strict)/)
    expect(cookie).not.toMatch(/; Domain=/i)
  }
  const own = cookieOf(signedIn.headers)
  expect(await holds(world, own)).toBe(true)
  // A good sign-in of somebody else, under the names that a page of a sibling could set.
  for (const prefix of ['', '__Secure-', '__host-']) {
    const tossed = own.replace('__Host-', prefix)
    expect([prefix, await holds(world, tossed)]).toEqual([prefix, false])
    expect(await holds(world, `${tossed}; ${own}`)).toBe(true)
  }
})
