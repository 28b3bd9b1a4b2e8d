import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listTokens } from '../../../src/ask/accounts/model/token-store.ts'
import {
  listSubscribers,
  recordError,
  recordSuccess,
  saveSubscriber,
} from '../../../src/ask/subscribers/model/store.ts'
import { aDevice, connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { until } from '../../support/until.ts'

type Checks = { checks: Array<{ name: string; state: string }> }

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const text = async (path: string) => (await world.get(path)).text()

test('a token is shown once, with what each client needs, and never again', async () => {
  const response = await world.post('/settings/tokens', { name: 'Laptop' })
  const page = await response.text()
  const token = /bk_[0-9a-z]{40}/.exec(page)?.[0] ?? ''
  expect(token).not.toBe('')
  for (const part of [
    'beckon setup --url ',
    'claude mcp add --transport http --scope user beckon',
    '~/.codex/config.toml',
    '~/.gemini/settings.json',
    '~/.copilot/mcp-config.json',
    'opencode.json',
  ]) {
    expect(page).toContain(part)
  }
  const again = await text('/settings/tokens')
  expect(again).toContain(`bk_…${token.slice(-4)}`)
  expect(again).not.toContain(token)
})

test('a revoked token is gone from the list and refused', async () => {
  await world.post('/settings/tokens', { name: 'Short-lived', test: 'yes' })
  const tokens = await listTokens(world.db.read, world.workspaceId)
  const token = tokens.find(({ name }) => name === 'Short-lived')
  expect(token?.test).toBe(true)
  const response = await world.post(`/settings/tokens/${token?.id}/revoke`, {})
  expect([response.status, response.headers.get('location')]).toEqual([303, '/settings/tokens'])
  expect(await text('/settings/tokens')).not.toContain('Short-lived')
})

test('a name that is empty or too long makes no token', async () => {
  for (const name of ['', 'x'.repeat(101)]) {
    const response = await world.post('/settings/tokens', { name })
    expect([response.status, (await response.text()).includes('name must')]).toEqual([422, true])
  }
})

test('each device says how it last went, and can be removed', async () => {
  const device = aDevice({ workspaceId: world.workspaceId, label: 'Kitchen tablet' })
  const { id } = await world.db.write((tx) => saveSubscriber(tx, device))
  const page = await text('/settings/devices')
  expect(page).toContain('Kitchen tablet')
  expect(page).toContain('nothing sent yet')
  await world.post(`/settings/devices/${id}/remove`, {})
  expect(await listSubscribers(world.db.read, world.workspaceId)).toEqual([])
  expect(await text('/settings/devices')).toContain('Nothing rings yet')
})

test('a test push says what truly came back', async () => {
  const endpoint = 'https://127.0.0.1:9/nobody-there'
  const device = aDevice({ workspaceId: world.workspaceId, endpoint })
  const { id } = await world.db.write((tx) => saveSubscriber(tx, device))
  const response = await world.post(`/settings/devices/${id}/test`, {})
  const page = await response.text()
  expect(response.status).toBe(200)
  expect(page).toMatch(/class="result (bad|wait)"/)
  expect(page).not.toContain('class="result good"')
})

test('the choice is kept in the browser and the page follows it', async () => {
  const response = await world.post('/settings/theme', { theme: 'dark' })
  expect(response.headers.get('set-cookie')).toContain('theme=dark')
  const page = await (await world.get('/settings', `${world.cookie}; theme=dark`)).text()
  expect(page).toContain('data-theme="dark"')
})

test('a wrong choice, a wrong zone and a way out of the site are not followed', async () => {
  const response = await world.post('/settings/theme', { theme: 'x"y', back: '//evil.example' })
  expect(response.headers.get('set-cookie')).toContain('theme=auto')
  expect(response.headers.get('location')).toBe('/')
  const page = await (await world.get('/', `${world.cookie}; zone=Mars%2F<b>`)).text()
  expect(page).toContain('data-zone="UTC"')
})

test('signing in leads only to pages of this server', async () => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/\t/evil']) {
    const credentials = { email: 'mara@example.org', password: 'correct horse battery' }
    const response = await world.post('/sign-in', { ...credentials, next }, { cookie: '' })
    expect([next, response.headers.get('location')]).toEqual([next, '/'])
  }
})

test('signing out ends the session', async () => {
  await using other = await pageWorld()
  const response = await other.post('/sign-out', {})
  expect(response.headers.get('location')).toBe('/sign-in')
  expect((await other.get('/inbox')).headers.get('location')).toBe('/sign-in?next=%2Finbox')
})

test('a server without an account says where the way in is, instead of asking for a password', async () => {
  await using world = await pageWorld({ owner: false })
  const page = await (await world.get('/sign-in', '')).text()
  expect(page).toContain('set-up link')
  expect(page).not.toContain('type="password"')
})

test('the token of questions that people ask themselves is no token of an agent', async () => {
  await using world = await pageWorld()
  const agents = async () => {
    const { checks } = (await (await world.get('/api/v1/health')).json()) as Checks
    return checks.find(({ name }) => name === 'Agent tokens')
  }
  const before = await agents()
  await world.post('/', { step: 'ask' })
  expect(await listTokens(world.db.read, world.workspaceId)).toHaveLength(1)
  expect(await agents()).toEqual(before)
  expect(before?.state).toBe('fail')
})

test('a second press of "Connect an agent" replaces the token that no agent has used', async () => {
  await using world = await pageWorld()
  const pressed = async () => {
    const page = await (await world.post('/', { step: 'agent' })).text()
    return /bk_[0-9A-Za-z]{40}/.exec(page)?.[0] ?? ''
  }
  const live = async () =>
    (await listTokens(world.db.read, world.workspaceId)).filter(
      ({ revokedAt }) => revokedAt === null,
    ).length
  const ask = (token: string) =>
    fetch(`${world.url}/api/v1/questions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Go on?', agentName: 'Codex', wait: false }),
    })
  const first = await pressed()
  const second = await pressed()
  expect(await live()).toBe(1)
  expect([(await ask(first)).status, (await ask(second)).status]).toEqual([401, 200])
  await until(
    async () =>
      typeof (await listTokens(world.db.read, world.workspaceId))[0]?.lastUsedAt === 'number',
  )
  await pressed()
  expect(await live()).toBe(2)
  expect((await ask(second)).status).toBe(200)
})

test('each page of the settings says its state, in five groups', async () => {
  await using world = await pageWorld()
  const { db, workspaceId } = world
  const [good, bad] = await connect(db, { workspaceId }, { workspaceId })
  const ids = (device: typeof good) => (device ? [device.id] : [])
  await db.write(async (tx) => {
    await recordSuccess(tx, ids(good), 1_000)
    await recordError(tx, ids(bad), 1_000, 'Refused.')
  })
  const page = await (await world.get('/settings')).text()
  const groups = [...page.matchAll(/<h2 id="group[^>]*>([^<]+)/g)].map(([, name]) => name)
  expect(groups).toEqual(['You', 'Agents', 'People', 'Reach', 'Server'])
  expect(page).toContain('1 of 2 devices fail')
})
