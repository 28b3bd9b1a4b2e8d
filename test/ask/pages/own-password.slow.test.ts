import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { account, session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { NO_FILTER } from '../../../src/ask/audit/model/audit-entry.ts'
import { readAudit } from '../../../src/ask/trail/read-audit.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { RATES } from '../../../src/platform/http/limits.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

const PATH = '/settings/password'
const EMAIL = 'mara@example.org'
const NEXT = ' another  long one '
const RIGHT = { currentPassword: PASSWORD, newPassword: NEXT }

const signIn = (world: PageWorld, password: string) =>
  world.post('/sign-in', { email: EMAIL, password }, { cookie: '' })
const isIn = async (world: PageWorld, cookie: string) =>
  (await world.get('/settings', cookie)).status === 200

async function trail({ db, workspaceId }: PageWorld) {
  const { entries } = await readAudit({ db, clock }, { workspaceId }, NO_FILTER)
  return entries.map(({ kind, outcome }) => `${kind}: ${outcome?.replace(/, from .*/, '')}`)
}

/** The field as it stands on the page, with what is wrong with it. */
function fieldOf(page: string, name: string) {
  const input = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(page)?.[0] ?? ''
  const wrong = new RegExp(`id="${name}-wrong">.*?</svg>(.*?)</p>`, 's').exec(page)?.[1]
  return { input, wrong }
}

test('the page is reached from Settings, and its fields are what a password manager looks for', async () => {
  await using world = await pageWorld()
  expect(await (await world.get('/settings')).text()).toContain(`href="${PATH}"`)
  const page = await (await world.get(PATH)).text()
  expect(fieldOf(page, 'currentPassword').input).toContain('autocomplete="current-password"')
  const { input } = fieldOf(page, 'newPassword')
  expect(input).toContain('autocomplete="new-password"')
  expect(input).toContain('aria-describedby="newPassword-rule"')
  expect(page).toMatch(/id="newPassword-rule">8 to 128 characters/)
  expect(page).toContain(`value="${EMAIL}"`)
})

test('the right password makes way for the new one, and ends every other sign-in', async () => {
  await using world = await pageWorld()
  const other = await world.otherBrowser()
  const response = await world.post(PATH, RIGHT)
  expect([response.status, response.headers.get('location')]).toEqual([303, `${PATH}?changed`])
  const mine = cookieOf(response.headers)
  expect([await isIn(world, mine), await isIn(world, other)]).toEqual([true, false])
  // Whoever kept the cookie that this browser had does not go on with it either.
  expect(await isIn(world, world.cookie)).toBe(false)
  const page = await (await world.get(`${PATH}?changed`, mine)).text()
  expect(page).toContain('Your other browsers and phones are signed out')
  expect((await signIn(world, PASSWORD)).status).toBe(401)
  expect((await signIn(world, NEXT)).status).toBe(303)
  expect(await trail(world)).toContain('password.changed: password')
})

test('what is wrong stands beside its field, changes nothing and gives no password back', async () => {
  await using world = await pageWorld()
  const wrong = await world.post(PATH, { currentPassword: 'wrong horse', newPassword: NEXT })
  const page = await wrong.text()
  expect([wrong.status, wrong.headers.getSetCookie()]).toEqual([422, []])
  expect(fieldOf(page, 'currentPassword').wrong).toBe('It is not your current password.')
  expect(fieldOf(page, 'currentPassword').input).toContain('aria-invalid="true"')
  expect(fieldOf(page, 'newPassword').wrong).toBeUndefined()
  expect(page).not.toMatch(/wrong horse|another {2}long/)
  expect((await trail(world))[0]).toBe('sign_in.failed: password of a signed-in browser')
  for (const newPassword of ['', 'seven77', 'x'.repeat(129)]) {
    const refused = await world.post(PATH, { ...RIGHT, newPassword })
    const page = await refused.text()
    expect(refused.status).toBe(422)
    expect(fieldOf(page, 'newPassword').wrong).toBe('It must have 8 to 128 characters.')
    expect(fieldOf(page, 'currentPassword').wrong).toBeUndefined()
  }
  expect(await isIn(world, world.cookie)).toBe(true)
  expect((await signIn(world, PASSWORD)).status).toBe(303)
})

test('guesses count as at the sign-in page, and the page says when to come back', async () => {
  // On a slow machine attempts would come back while the others are checked.
  await using world = await pageWorld({ clock: fakeClock(Date.now()) })
  const guess = () => world.post(PATH, { ...RIGHT, currentPassword: 'wrong horse' })
  const responses = await Promise.all(Array.from({ length: RATES.signIn.burst + 1 }, guess))
  const refused = responses.filter(({ status }) => status === 429)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([422, 429]))
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused[0]?.text()).toMatch(/Too many attempts.*Try again in \d+ second/)
  // The same bucket: the address that asks over the API is refused too.
  const api = await fetch(`${world.url}/api/auth/change-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: world.url, cookie: world.cookie },
    body: JSON.stringify(RIGHT),
  })
  expect(api.status).toBe(429)
})

test('guesses from many addresses count for the person', async () => {
  await using world = await pageWorld({ env: { BECKON_TRUST_PROXY: 'loopback' } })
  const guess = (n: number) => {
    const from = { 'x-forwarded-for': `203.0.113.${n}` }
    return world.post(PATH, { ...RIGHT, currentPassword: 'wrong horse' }, from)
  }
  const responses = await Promise.all(Array.from({ length: 24 }, (_, n) => guess(n)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([422, 429]))
})

test('who has no password is told so, and nothing can be sent in its place', async () => {
  await using world = await pageWorld()
  const mara = await findPersonByEmail(world.db.read, EMAIL)
  await world.db.write((tx) => tx.delete(account).where(eq(account.userId, mara?.id ?? '')))
  const page = await (await world.get(PATH)).text()
  expect(page).toContain('You have no password to change')
  expect(page).not.toContain('name="newPassword"')
  const response = await world.post(PATH, RIGHT)
  expect([response.status, (await response.text()).includes('You have no password')]).toEqual([
    409,
    true,
  ])
  expect(await world.db.read.select().from(account)).toEqual([])
  expect(await isIn(world, world.cookie)).toBe(true)
})

test('a sign-in that is renewed by the very request does not come back in place of the new one', async () => {
  await using world = await pageWorld()
  const soon = new Date(Date.now() + 3_600_000)
  await world.db.write((tx) => tx.update(session).set({ expiresAt: soon }))
  const response = await world.post(PATH, RIGHT)
  const set = response.headers.getSetCookie().filter((cookie) => /session_token=./.test(cookie))
  expect([response.status, set.length]).toEqual([303, 1])
  expect(await isIn(world, cookieOf(response.headers))).toBe(true)
})

test('a form of another site, and whoever is not signed in, change nothing', async () => {
  await using world = await pageWorld()
  const forged = await world.post(PATH, RIGHT, { origin: 'https://evil.example' })
  expect(forged.status).toBe(403)
  const stranger = await world.post(PATH, RIGHT, { cookie: '' })
  expect(stranger.headers.get('location')).toBe('/sign-in')
  expect((await signIn(world, PASSWORD)).status).toBe(303)
})
