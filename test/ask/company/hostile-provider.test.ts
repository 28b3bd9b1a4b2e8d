import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { signInFlows } from '../../../src/ask/company/model/table.ts'
import { listGroupMembers, listGroups } from '../../../src/ask/groups/model/store.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'

// What a provider that is broken, taken over or far too large may send.

let world: CompanyWorld
beforeAll(async () => {
  world = await companyWorld({
    ...{ BECKON_OIDC_JOIN: 'on', BECKON_OIDC_DOMAINS: 'example.com' },
    ...{ BECKON_OIDC_GROUPS_CLAIM: 'groups', BECKON_OIDC_GROUPS: 'engineers' },
  })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.provider.knobs = {}
})

async function groupsOf(groups: unknown) {
  world.provider.knobs = { idToken: { groups }, userInfo: null }
  const { browser } = await world.signIn()
  expect(await world.who(browser)).toBe('Ana')
  const ana = await findPersonByEmail(world.db.read, 'ana@example.com')
  const all = await listGroups(world.db.read, world.workspaceId)
  const rows = await listGroupMembers(world.db.read, world.workspaceId)
  const ids = rows.filter((one) => one.personId === ana?.id).map((one) => one.groupId)
  return all.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `group-${n}`)

test.each([
  ['10,000', numbered(10_000)],
  ['one with a line break', ['engineers\n']],
  ['one that turns the text around', ['\u202Eengineers']],
  ['an empty one', ['']],
  ['one of 501 characters', ['x'.repeat(501)]],
  ['one that is a number', [1]],
  ['lists in a list', [['engineers']]],
  ['a number', 7],
])('groups that are not read put nobody in, and take nobody out: %s', async (_, groups) => {
  await groupsOf(['engineers'])
  expect(await groupsOf(groups)).toEqual(['engineers'])
  await groupsOf([])
  const odd = Array.isArray(groups) ? [...groups, 'engineers'] : groups
  expect(await groupsOf(odd)).toEqual([])
})

test('a thousand groups are read, and only those that are named here become groups', async () => {
  expect(await groupsOf([...numbered(999), 'engineers'])).toEqual(['engineers'])
  expect(await listGroups(world.db.read, world.workspaceId)).toHaveLength(1)
})

/** The sign-in of somebody while the provider is like that. */
async function outcome(knobs: CompanyWorld['provider']['knobs']) {
  await using other = await companyWorld({
    ...{ BECKON_OIDC_JOIN: 'on', BECKON_OIDC_DOMAINS: 'example.com' },
  })
  other.provider.knobs = knobs
  const { browser, response } = await other.signIn()
  expect(await other.who(browser)).toBeNull()
  return { status: response.status, page: await response.text() }
}

test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
  'a private address as its %s is not asked, and named',
  async (name) => {
    const { status, page } = await outcome({ metadata: { [name]: 'http://10.0.0.1/x' } })
    expect(status).toBe(403)
    expect(page).toContain('10.0.0.1')
  },
)

test.each(['/.well-known/openid-configuration', '/token', '/keys', '/userinfo'])(
  'a redirect of its %s to a private address is not followed',
  async (path) => {
    let calls = 0
    await using inside = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      fetch: () => {
        calls++
        return Response.json({})
      },
    })
    const { status } = await outcome({ redirects: { [path]: inside.url.href } })
    expect([status, calls]).toEqual([403, 0])
  },
)

test('an answer without an end is cut off', async () => {
  const { status } = await outcome({ endless: '/.well-known/openid-configuration' })
  expect(status).toBe(503)
})

test('one address begins thirty sign-ins a minute, and no more', async () => {
  const browser = world.browser()
  const statuses: number[] = []
  for (let n = 0; n < 31; n++) statuses.push((await browser.get('/sign-in/with/acme')).status)
  expect(statuses.filter((one) => one === 303)).toHaveLength(30)
  expect(statuses.at(-1)).toBe(429)
  expect((await world.browser().get('/sign-in/with/acme')).status).toBe(303)
})

test('a thousand sign-ins wait at most; those that are over make room', async () => {
  await using other = await companyWorld()
  await other.browser().get('/sign-in/with/acme')
  const [flow] = await other.db.read.select().from(signInFlows)
  if (!flow) throw new Error('nothing waits')
  await other.db.write(async (tx) => {
    for (let n = 1; n < 1_000; n++) await tx.insert(signInFlows).values({ ...flow, hash: `${n}` })
  })
  expect((await other.browser().get('/sign-in/with/acme')).status).toBe(503)
  await other.db.write((tx) => tx.update(signInFlows).set({ expiresAt: Date.now() - 1 }))
  expect((await other.browser().get('/sign-in/with/acme')).status).toBe(303)
  expect(await other.db.read.select().from(signInFlows)).toHaveLength(1)
})

test('the answer comes in the address: one by POST would come without the cookie', async () => {
  const browser = world.browser()
  const start = await browser.get('/sign-in/with/acme')
  const { searchParams } = new URL(start.headers.get('location') ?? '')
  expect(searchParams.get('response_mode')).toBe('query')
  const posted = await browser.post('/sign-in/back/acme', { code: 'x', state: 'y' })
  expect(posted.status).toBeGreaterThanOrEqual(400)
})

test('an answer for one provider is none for another', async () => {
  const second = {
    ...{ name: 'Second', issuer: world.provider.issuer, clientId: 'beckon', hours: '8' },
    ...{ clientSecret: world.provider.secret, clientAuth: 'post', domains: 'example.com' },
  }
  expect((await world.post('/settings/sign-in/new', second)).status).toBe(303)
  const browser = world.browser()
  const start = await browser.get('/sign-in/with/acme')
  const there = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' })
  const back = new URL((there.headers.get('location') ?? '').replace(world.app.baseUrl, world.url))
  const mixed = `/sign-in/back/second${back.search}`
  expect((await browser.get(mixed)).status).toBe(410)
  expect(await world.who(browser)).toBeNull()
})
