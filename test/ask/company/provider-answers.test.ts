import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { addPerson } from '../../../src/ask/people/people.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import type { Knobs } from '../../support/oidc-provider.ts'

// Each row is a sign-in with one thing wrong, as of the table of what providers and attackers do.

let world: CompanyWorld
beforeAll(async () => {
  world = await companyWorld()
  await addPerson({ db: world.db, clock }, { email: 'ana@example.com', name: 'Ana' })
  await world.signIn()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.provider.knobs = {}
})

const JOINS = { BECKON_OIDC_JOIN: 'on', BECKON_OIDC_DOMAINS: 'example.com' }
const second = () => Math.floor(Date.now() / 1_000)
const HOUR = 3_600

const ANSWERS: [string, 'in' | 'out', () => Knobs][] = [
  ['all right', 'in', () => ({})],
  ['nonce wrong', 'out', () => ({ idToken: { nonce: 'another' } })],
  ['nonce absent', 'out', () => ({ idToken: { nonce: undefined } })],
  ['state wrong', 'out', () => ({ answer: { state: 'another' } })],
  ['audience: another client', 'out', () => ({ idToken: { aud: 'another' } })],
  ['two audiences, no azp', 'out', () => ({ idToken: { aud: ['beckon', 'another'] } })],
  [
    'two audiences, azp of another',
    'out',
    () => ({ idToken: { aud: ['beckon', 'another'], azp: 'another' } }),
  ],
  [
    'two audiences, azp ours',
    'in',
    () => ({ idToken: { aud: ['beckon', 'another'], azp: 'beckon' } }),
  ],
  ['one audience, azp of another', 'out', () => ({ idToken: { azp: 'another' } })],
  ['issuer in the token differs', 'out', () => ({ idToken: { iss: 'https://evil.example' } })],
  ['iss in the answer differs', 'out', () => ({ answer: { iss: 'https://evil.example' } })],
  ['iss missing though it is promised', 'out', () => ({ answer: { iss: undefined } })],
  ['expired ten seconds ago', 'in', () => ({ idToken: { exp: second() - 10 } })],
  ['expired two minutes ago', 'out', () => ({ idToken: { exp: second() - 120 } })],
  ['valid in 25 seconds', 'in', () => ({ idToken: { nbf: second() + 25 } })],
  ['valid in two minutes', 'out', () => ({ idToken: { nbf: second() + 120 } })],
  ['made an hour ahead', 'out', () => ({ idToken: { iat: second() + HOUR } })],
  ['made two days ago', 'out', () => ({ idToken: { iat: second() - 48 * HOUR } })],
  ['made four minutes ahead', 'in', () => ({ idToken: { iat: second() + 240 } })],
  ['not signed', 'out', () => ({ signed: 'none' })],
  ['signed by a foreign key under the right id', 'out', () => ({ signed: 'foreign' })],
  ['no id token at all', 'out', () => ({ noIdToken: true })],
  [
    'no address in the token, userinfo of another sub',
    'out',
    () => ({
      idToken: { email: undefined, email_verified: undefined },
      userInfo: { sub: 'another', email: 'mara@example.org' },
    }),
  ],
  [
    'an error of the provider',
    'out',
    () => ({ answer: { code: undefined, error: 'access_denied' } }),
  ],
  ['no userinfo', 'in', () => ({ userInfo: null })],
  ['a name of 501 characters', 'out', () => ({ idToken: { name: 'x'.repeat(501) } })],
  ['a sub with a line break', 'out', () => ({ idToken: { sub: 'sub-1\n' }, userInfo: null })],
]

test.each(ANSWERS)('%s: %s', async (_, outcome, knobs) => {
  world.provider.knobs = knobs()
  const { browser, response } = await world.signIn()
  expect(await world.who(browser)).toBe(outcome === 'in' ? 'Ana' : null)
  expect(response.status).toBe(outcome === 'in' ? 303 : response.status)
  if (outcome === 'out') expect([403, 410]).toContain(response.status)
})

test('an answer counts once, and only in the browser that began', async () => {
  const browser = world.browser()
  const start = await browser.get('/sign-in/with/acme')
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const back = (there.headers.get('location') ?? '').replace(world.app.baseUrl, world.url)
  expect((await world.browser().get(back)).status).toBe(410)
  expect((await browser.get(back)).status).toBe(303)
  const again = await browser.get(back)
  expect(again.status).toBe(410)
})

test('of two who come back with one answer at once, one is signed in', async () => {
  const browser = world.browser()
  const start = await browser.get('/sign-in/with/acme')
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const back = (there.headers.get('location') ?? '').replace(world.app.baseUrl, world.url)
  const both = await Promise.all([browser.get(back), browser.get(back)])
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410])
})

test('keys that were rotated are fetched once more, and at most once in ten seconds', async () => {
  await using other = await companyWorld(JOINS)
  await other.signIn()
  await other.provider.rotate()
  const { browser } = await other.signIn()
  expect(await other.who(browser)).toBe('Ana')
  await other.provider.rotate()
  const countKeys = () => other.provider.requests.filter((one) => one === 'GET /keys').length
  const before = countKeys()
  for (let i = 0; i < 3; i++) await other.signIn()
  expect(countKeys()).toBe(before)
})

test('a client that proves itself the other way is told what to change', async () => {
  world.provider.knobs = { auth: 'basic' }
  const { response } = await world.signIn()
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('client authentication')
})

test('the way in leads to the page that was wanted, and never to another site', async () => {
  for (const [next, to] of [
    ['/inbox', '/inbox'],
    ['//evil.example/x', '/'],
    ['https://evil.example', '/'],
  ] as const) {
    const path = `/sign-in/with/acme?next=${encodeURIComponent(next)}`
    const { response } = await world.signIn(world.browser(), path)
    expect(response.headers.get('location')).toBe(to)
  }
})

test('an issuer that the metadata write otherwise is refused', async () => {
  await using other = await companyWorld()
  other.provider.knobs = { metadata: { issuer: `${other.provider.issuer}/` } }
  const { response } = await other.signIn()
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('byte for byte')
})

test('a provider that was down when the server started signs in once it is up', async () => {
  await using other = await companyWorld(JOINS)
  await other.provider.down()
  const { response } = await other.signIn()
  expect(response.status).toBe(503)
  other.provider.up()
  const { browser } = await other.signIn()
  expect(await other.who(browser)).toBe('Ana')
})
