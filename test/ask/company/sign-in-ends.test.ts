import { afterAll, beforeAll, expect, test } from 'bun:test'
import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type Browser, type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import { addPersonWithPassword, signInAt } from '../../support/sign-in.ts'

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const HOUR_MS = 3_600_000
const JOINS = { BECKON_OIDC_JOIN: 'on', BECKON_OIDC_DOMAINS: 'example.com' }

let world: CompanyWorld
beforeAll(async () => {
  world = await companyWorld(JOINS)
})
afterAll(() => world[Symbol.asyncDispose]())

let count = 0
const second = () => Math.floor(Date.now() / 1_000)

function logOut(claims: Record<string, unknown>) {
  const jti = `t${++count}`
  return world.provider.logoutToken({ iat: second(), jti, events: EVENTS, ...claims })
}

function send(token: string) {
  return fetch(`${world.url}/sign-in/out/acme`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.9.0.${++count}`,
    },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })
}

test.each([
  ['its session', { sid: 'session-1' }],
  ['the account', { sub: 'sub-1' }],
])('the provider ends a sign-in by %s, and once', async (_, of) => {
  const { browser } = await world.signIn()
  expect(await world.who(browser)).toBe('Ana')
  const token = await logOut(of)
  expect((await send(token)).status).toBe(200)
  expect(await world.who(browser)).toBeNull()
  expect((await send(token)).status).toBe(400)
})

test.each([
  ['of another session', { sid: 'session-2' }],
  ['of another account', { sub: 'sub-2' }],
])('a token %s ends nothing, and is no error', async (_, of) => {
  const { browser } = await world.signIn()
  expect((await send(await logOut(of))).status).toBe(200)
  expect(await world.who(browser)).toBe('Ana')
})

test.each([
  ['with a nonce', { sub: 'sub-1', nonce: 'n' }],
  ['without the event', { sub: 'sub-1', events: {} }],
  ['without sub and sid', {}],
  ['for another client', { sub: 'sub-1', aud: 'another' }],
  ['of another issuer', { sub: 'sub-1', iss: 'https://evil.example' }],
  ['of an hour ago', { sub: 'sub-1', iat: second() - 3_600 }],
  ['of the next hour', { sub: 'sub-1', iat: second() + 3_600 }],
  ['without an id', { sub: 'sub-1', jti: undefined }],
])('a token %s is refused, and ends nothing', async (_, claims) => {
  const { browser } = await world.signIn()
  const refused = await send(await logOut(claims))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: 'invalid_request' })
  expect(await world.who(browser)).toBe('Ana')
})

test('a token that a foreign key signed is refused', async () => {
  const { browser } = await world.signIn()
  world.provider.knobs = { signed: 'foreign' }
  const token = await logOut({ sub: 'sub-1' })
  world.provider.knobs = {}
  expect((await send(token)).status).toBe(400)
  expect(await world.who(browser)).toBe('Ana')
})

test('a body larger than any token is refused, and so are more than ten a minute', async () => {
  const post = (body: string) =>
    fetch(`${world.url}/sign-in/out/acme`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '10.8.0.1',
      },
      body,
    })
  expect((await post(`logout_token=${'x'.repeat(64 * 1024)}`)).status).toBe(413)
  const statuses: number[] = []
  for (let n = 0; n < 10; n++) statuses.push((await post('logout_token=x')).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429])
})

/** As if every sign-in had been proven so long ago. */
async function age(of: CompanyWorld, ms: number) {
  const provenUntil = new Date(Date.now() - ms)
  await of.db.write((tx) => tx.update(session).set({ provenUntil }))
}

test('a sign-in ends with its hours, although its cookie goes on', async () => {
  const { browser } = await world.signIn()
  await age(world, 1)
  expect(await world.who(browser)).toBeNull()
  expect((await browser.get('/inbox')).headers.get('location')).toBe('/sign-in?next=%2Finbox')
})

test('while the provider is down people read, decline and stop for a day, and nobody new gets in', async () => {
  await using other = await companyWorld(JOINS)
  const { browser } = await other.signIn()
  await other.provider.down()
  await age(other, HOUR_MS)
  expect(await other.who(browser)).toBe('Ana')
  const answer = async (value: string, of: Browser = browser) => {
    const id = await other.ask()
    return (await of.post(`/d/${id}/answer`, { value })).status
  }
  expect(await answer('yes')).toBe(403)
  expect(await answer('no')).toBe(303)
  const id = await other.ask()
  expect((await browser.post(`/d/${id}/stop`)).status).toBe(303)
  expect((await browser.post('/settings/tokens', { name: 'x' })).status).toBe(403)
  // The way there is known; the provider is what cannot be reached.
  await expect(other.signIn()).rejects.toThrow('ECONNREFUSED')
  await age(other, 25 * HOUR_MS)
  expect(await other.who(browser)).toBeNull()
})

test('a phone that scanned a code is signed in no longer than the screen that showed it', async () => {
  const { browser } = await world.signIn()
  const page = await (await browser.post('/settings/pair')).text()
  const code = /\/pair\/([0-9a-z]{26})/.exec(page)?.[1] ?? ''
  const phone = world.browser()
  await phone.post(`/pair/${code}`)
  expect(await world.who(phone)).toBe('Ana')
  await age(world, 1)
  expect(await world.who(phone)).toBeNull()
})

const password = (email: string) => ({ email, password: PASSWORD })

test.each(['owners', 'nobody'] as const)('passwords for %s: page, API and links', async (local) => {
  await using other = await companyWorld({ ...JOINS, BECKON_LOCAL_SIGN_IN: local })
  const deps = { db: other.db, clock }
  const member = { email: 'bo@example.com', name: 'Bo', role: 'member' } as const
  await addPersonWithPassword(deps, member)
  const owner = 'mara@example.org'
  const page = async (email: string) =>
    (await other.browser().post('/sign-in', password(email))).status
  const mayOwner = local === 'owners'
  expect(await page(owner)).toBe(mayOwner ? 303 : 403)
  expect(await page(member.email)).toBe(403)
  const api = (email: string) =>
    signInAt(other.url, password(email)).then(
      () => true,
      () => false,
    )
  expect(await api(owner)).toBe(mayOwner)
  expect(await api(member.email)).toBe(false)
  const wrong = await other.browser().post('/sign-in', { email: member.email, password: 'wrong' })
  expect(wrong.status).toBe(mayOwner ? 401 : 403)
  const signInPage = await (await other.browser().get('/sign-in')).text()
  expect(signInPage).toContain('Sign in with Acme')
  expect(signInPage.includes('name="password"')).toBe(mayOwner)
})

test('nobody is left out before an owner has signed in with the provider', async () => {
  const form = { local: 'nobody' }
  expect((await world.post('/settings/sign-in/local', form)).status).toBe(409)
  await using other = await companyWorld({
    ...JOINS,
    BECKON_OIDC_OWNER_GROUPS: 'admins',
    BECKON_OIDC_GROUPS_CLAIM: 'groups',
  })
  other.provider.knobs = { idToken: { groups: ['admins'] } }
  const { browser } = await other.signIn()
  expect((await browser.post('/settings/sign-in/local', form)).status).toBe(303)
  const tried = await other.browser().post('/sign-in', password('mara@example.org'))
  expect(tried.status).toBe(403)
})

test('a server on which nobody could sign in does not start', async () => {
  const start = companyWorld({
    BECKON_OIDC_ISSUER: '',
    BECKON_OIDC_CLIENT_ID: '',
    BECKON_LOCAL_SIGN_IN: 'nobody',
  })
  await expect(start).rejects.toThrow('nobody could sign in')
})
