import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listIdentitiesOf } from '../../../src/ask/accounts/model/identity-store.ts'
import { insertPerson, listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { readLastSignIn } from '../../../src/ask/company/last-sign-in.ts'
import { forgetRemovedProviders } from '../../../src/ask/company/removed-providers.ts'
import { insertGroup, listPeopleIn, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { companyChecks } from '../../../src/ask/health/company-check.ts'
import { personCheck } from '../../../src/ask/health/people-checks.ts'
import { PEOPLE_MAX } from '../../../src/ask/people/invite-person.ts'
import { purgeOld } from '../../../src/ask/retention/purge-old.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import { connectDirectory } from '../../support/directory-world.ts'

const DAY_MS = 24 * 3_600_000
const NONE = { provider: undefined, local: undefined }

let world: CompanyWorld
let directory: Awaited<ReturnType<typeof connectDirectory>>
beforeAll(async () => {
  world = await companyWorld()
  directory = await connectDirectory(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const setUp = (name: string, groupsClaim = 'groups') =>
  world.post('/settings/sign-in/new', {
    ...{ name, issuer: world.provider.issuer, clientId: 'beckon', hours: '8', groupsClaim },
    ...{ clientSecret: world.provider.secret, clientAuth: 'post', domains: 'example.com' },
    ...{ joins: 'yes' },
  })
const rows = async (at = Date.now()) =>
  await companyChecks(world.db.read, NONE, [world.workspaceId], at)
const stateOf = async (name: string, at?: number) =>
  (await rows(at)).find((one) => one.name === name)?.state

async function signIn(provider: string, claims: Record<string, unknown>) {
  world.provider.knobs = { idToken: claims, userInfo: null }
  const { browser } = await world.signIn(undefined, `/sign-in/with/${provider}`)
  return await world.who(browser)
}

test('groups that did not come are no empty list: the doctor and Health say so', async () => {
  await setUp('Second')
  const row = 'Sign-in with Second'
  expect(await stateOf(row)).toBe('ok')
  expect(await signIn('second', { sub: 'a', '\u202Eodd': 1 })).toBe('Ana')
  expect(await stateOf(row)).toBe('warn')
  const last = await readLastSignIn(world.db.read, 'second')
  expect(last?.claims).toContain('email_verified')
  expect(JSON.stringify(last)).not.toContain('ana@example.com')
  expect(JSON.stringify(last)).not.toContain('\u202E')
  await signIn('second', { sub: 'a', _claim_names: { groups: 'src1' } })
  expect((await rows()).find(({ name }) => name === row)?.said).toContain('more groups')
  await signIn('second', { sub: 'a', groups: [] })
  expect(await stateOf(row)).toBe('ok')
})

test('what was missing when somebody was refused is said, too', async () => {
  await setUp('Third')
  expect(await signIn('third', { sub: 'c', email: 'eve@evil.example' })).toBeNull()
  expect(await stateOf('Sign-in with Third')).toBe('warn')
})

test('a provider of which nobody wants groups lacks none', async () => {
  await setUp('Fourth', '')
  await signIn('fourth', { sub: 'd', email: 'dev@example.com' })
  expect(await stateOf('Sign-in with Fourth')).toBe('ok')
})

const row = 'Directory Acme'
const refusal = async () => (await rows()).find(({ name }) => name === row)?.said ?? ''
const make = (userName: string) => directory.call('POST', '/Users', { userName })

test('owners hear of what a directory asks for in vain, for a day', async () => {
  expect((await make('uma@example.com')).s).toBe(201)
  expect((await make('uma@example.com')).s).toBe(409)
  expect(await refusal()).toBe('')
  expect((await make('mara@example.org')).s).toBe(409)
  expect(await refusal()).toContain('mara@example.org')
  expect(await (await world.get('/settings/directory')).text()).toContain('mara@example.org')
  expect(await stateOf(row, Date.now() + DAY_MS + 60_000)).toBeUndefined()
})

test('whom a directory made waits for no invitation where a provider lets them in', async () => {
  expect((await make('una@example.com')).s).toBe(201)
  const check = await personCheck(world.db.read, NONE, [world.workspaceId], Date.now())
  expect([check.state, check.said]).toEqual(['ok', expect.stringContaining('of a directory')])
})

test('whose provider is gone cannot come in, and its accounts are forgotten after a month', async () => {
  await setUp('Fifth')
  await signIn('fifth', { sub: 'e', email: 'eli@example.com', name: 'Eli' })
  const row = 'Without a provider'
  expect(await stateOf(row)).toBeUndefined()
  await world.post('/settings/sign-in/providers/fifth/remove', {})
  expect((await rows()).find(({ name }) => name === row)?.said).toContain('“Eli”')
  const count = async () => (await listIdentitiesOf(world.db.read, 'fifth')).length
  const { db, workspaceId } = world
  const source = 'provider:fifth' as const
  const group = { id: newId('group', 1), workspaceId, name: 'fifth', source, createdAt: 1 }
  const [eli] = await listIdentitiesOf(db.read, 'fifth')
  await db.write(async (tx) => {
    await insertGroup(tx, { ...group, externalId: 'fifth' })
    await putGroupMembers(tx, group, source, [eli?.personId ?? ''])
  })
  const members = async () => (await listPeopleIn(db.read, group.id)).length
  const later = (days: number) => Date.now() + days * DAY_MS
  const forget = (days: number) => world.db.write((tx) => forgetRemovedProviders(tx, later(days)))
  await forget(29)
  expect(await count()).toBe(1)
  await setUp('Fifth')
  await forget(31)
  expect([await count(), await members()]).toEqual([1, 1])
  await world.post('/settings/sign-in/providers/fifth/remove', {})
  const clock = { ...systemClock, now: () => later(31) }
  await purgeOld({ db: world.db, clock, holder: 'test', retentionDays: 90 })
  expect([await count(), await members()]).toEqual([0, 0])
  expect(await stateOf(row)).toBeUndefined()
})

test('a directory that asks for one person too many is told the limit, and so are owners', async () => {
  const people = await listPeople(world.db.read, world.workspaceId)
  await world.db.write(async (tx) => {
    for (let n = people.length; n < PEOPLE_MAX; n++) {
      const person = { id: `p${n}`, name: 'P', email: `p${n}@example.net`, role: 'member' } as const
      await insertPerson(tx, { ...person, workspaceId: world.workspaceId }, Date.now())
    }
  })
  const full = await make('vic@example.com')
  expect([full.s, JSON.stringify(full.j)]).toEqual([403, expect.stringContaining(`${PEOPLE_MAX}`)])
  expect(await refusal()).toContain(`${PEOPLE_MAX} people`)
})
