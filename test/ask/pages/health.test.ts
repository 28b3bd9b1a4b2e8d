import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { verification } from '../../../src/ask/accounts/model/auth-tables.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { recordError, recordSuccess } from '../../../src/ask/subscribers/model/store.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { connect } from '../../support/devices.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { cookieOf } from '../../support/sign-in.ts'

// Each look at the whole chain takes a moment.
setDefaultTimeout(60_000)

let world: PageWorld
beforeAll(async () => {
  world = await pageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const headings = (page: string) =>
  [...page.matchAll(/<section class="part"><h2>([^<]+)/g)].map(([, name]) => name)

test('what is not set up yet is apart from what is broken, and what works is folded', async () => {
  const page = await (await world.get('/settings/health')).text()
  expect(page).not.toMatch(/links? (is|are) broken/)
  expect(headings(page)).toEqual(['Look at it', 'Not set up, or not used yet'])
  const [, absent = '', works = ''] = page.split(/Not set up, or not used yet|<details class="more/)
  expect(absent).toContain('No device is connected, so nothing rings.')
  expect(absent).toContain('Open Settings, Devices in a browser or on a phone')
  expect(works).toMatch(/\d+ links work/)
  expect(works).toMatch(/leads to this server/)
  expect(page).toContain('Check again')
})

test('failing devices are one row, which leads to them', async () => {
  await using other = await pageWorld()
  const labels = ['Pixel', 'Tablet', 'Desk']
  const { db, workspaceId } = other
  const devices = await connect(db, ...labels.map((label) => ({ workspaceId, label })))
  const ids = devices.map(({ id }) => id)
  await db.write(async (tx) => {
    await recordSuccess(tx, ids, 1_000)
    await recordError(tx, ids.slice(0, 2), 2_000, 'It answered 503.')
  })
  const page = await (await other.get('/settings/health')).text()
  expect(page).toMatch(/2: (Pixel, Tablet|Tablet, Pixel)\./)
  expect(page).not.toContain('It answered 503.')
  expect(page).toContain('Open the devices')
})

test('an invitation that can still be used is no alarm, and one that has expired is', async () => {
  await using other = await pageWorld()
  const look = async () => (await other.get('/settings/health')).text()
  const invited = { email: 'ada@example.org', name: 'Ada', role: 'member' }
  expect((await other.post('/settings/people', invited)).status).toBe(200)
  expect(await look()).toContain(
    'One person can sign in; 1 more invited, the link is not used yet.',
  )
  await other.db.write((tx) => tx.update(verification).set({ expiresAt: new Date(Date.now() - 1) }))
  expect(await look()).toContain('1 of 2 have neither a password nor a passkey.')
})

test('the settings lead to it', async () => {
  expect(await (await world.get('/settings')).text()).toContain('href="/settings/health"')
})

test('programs get the same in JSON', async () => {
  const report = (await (await world.get('/api/v1/health')).json()) as {
    ok: boolean
    checks: Array<{ name: string; state: string; link: string }>
  }
  expect(report.ok).toBe(false)
  const broken = report.checks.filter(({ state }) => state === 'fail')
  expect(broken.map(({ name, link }) => [name, link])).toEqual([
    ['Devices', 'people'],
    ['Agent tokens', 'people'],
  ])
})

test('members, and whoever is not signed in, do not see it', async () => {
  const email = 'bo@example.org'
  const who = { email, name: 'Bo', password: PASSWORD, role: 'member' as const }
  await addPerson({ db: world.db, clock: systemClock }, who)
  const signedIn = await world.post('/sign-in', { email, password: PASSWORD }, { cookie: '' })
  const cookie = cookieOf(signedIn.headers)
  const looks = ['/settings/health', '/api/v1/health'].map((path) => world.get(path, cookie))
  expect((await Promise.all(looks)).map(({ status }) => status)).toEqual([403, 403])
  expect((await world.get('/api/v1/health', '')).status).toBe(401)
  expect((await world.get('/settings/health', '')).headers.get('location')).toContain('/sign-in')
  expect(await (await world.get('/settings', cookie)).text()).not.toContain('/settings/health')
})
