import { afterAll, beforeAll, expect, test } from 'bun:test'
import { session } from '../../../src/ask/accounts/model/auth-tables.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type Browser, type CompanyWorld, companyWorld } from '../../support/company-world.ts'

const AGAIN = '/sign-in/with/acme?next=%2Finbox&again=yes'
const second = () => Math.floor(Date.now() / 1_000)

let world: CompanyWorld
let id: string
beforeAll(async () => {
  world = await companyWorld({ BECKON_OIDC_JOIN: 'on', BECKON_OIDC_DOMAINS: 'example.com' })
  await world.signIn()
  const { db, workspaceId } = world
  const ana = await findPersonByEmail(db.read, 'ana@example.com')
  if (!ana) throw new Error('nobody joined')
  await addRule({ db, clock }, workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [ana.id], fresh: 'sign_in', asker: 'counts' },
  })
  const { token } = await createToken({ db, clock }, { workspaceId, name: 'a', by: ana.id })
  const reply = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Go?', toolName: 'Bash', wait: false }),
  })
  id = ((await reply.json()) as { correlationId: string }).correlationId
})
afterAll(() => world[Symbol.asyncDispose]())

const isDemanded = async (browser: Browser) =>
  (await (await browser.post(`/d/${id}/answer`, { value: 'yes' })).text()).includes('Sign in again')

async function again(browser: Browser, idToken: Record<string, unknown>) {
  world.provider.knobs = { idToken }
  const { response } = await world.signIn(browser, AGAIN)
  world.provider.knobs = {}
  return response
}

test('signing in again asks the provider for the password, however fresh its own session is', async () => {
  const { browser } = await world.signIn()
  const start = await browser.get(AGAIN)
  const { searchParams } = new URL(start.headers.get('location') ?? '')
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '1'])
  const plain = await browser.get('/sign-in/with/acme')
  expect(new URL(plain.headers.get('location') ?? '').searchParams.has('prompt')).toBe(false)
})

test.each([
  ['does not say when they signed in', { auth_time: undefined }],
  ['says that it was in 1970', { auth_time: 0 }],
  ['has them signed in since an hour', { auth_time: second() - 3_600 }],
  ['says it in words', { auth_time: 'now' }],
])('a provider that %s proves no fresh sign-in', async (_, idToken) => {
  const { browser } = await world.signIn()
  expect(await isDemanded(browser)).toBe(true)
  expect((await again(browser, idToken)).status).toBe(403)
  expect(await world.who(browser)).toBe('Ana')
  expect(await isDemanded(browser)).toBe(true)
})

test('an hour ahead counts as now, and a quarter of an hour later no more', async () => {
  const { browser } = await world.signIn()
  expect((await again(browser, { auth_time: second() + 3_600 })).status).toBe(303)
  const [row] = await world.db.read.select({ at: session.provenAt }).from(session)
  expect(row?.at?.getTime() ?? 0).toBeLessThanOrEqual(Date.now())
  const provenAt = new Date(Date.now() - 16 * 60_000)
  await world.db.write((tx) => tx.update(session).set({ provenAt }))
  expect(await isDemanded(browser)).toBe(true)
})

test('a yes counts once the person signed in there again, and leads back', async () => {
  const { browser } = await world.signIn()
  const response = await again(browser, {})
  expect(response.headers.get('location')).toBe('/inbox')
  const vote = await browser.post(`/d/${id}/answer`, { value: 'yes' })
  expect(vote.status).toBe(303)
})
