import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { listIdentities } from '../../../src/ask/accounts/model/identity-store.ts'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import {
  findPersonByEmail,
  listPeople,
  putOff,
  putPassword,
} from '../../../src/ask/accounts/model/person-store.ts'
import { readArrival } from '../../../src/ask/company/model/arrival.ts'
import { listGroupMembers, listGroups } from '../../../src/ask/groups/model/store.ts'
import { invitePerson } from '../../../src/ask/people/invite-person.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { PASSWORD } from '../../support/auth-server.ts'
import { type Browser, type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import { addPersonWithPassword, passwordHash } from '../../support/sign-in.ts'

// Each test is a row of the table of who arrives, and of the one about linking by address.

let world: CompanyWorld
let count = 0
beforeAll(async () => {
  world = await companyWorld({
    BECKON_OIDC_DOMAINS: 'example.com',
    BECKON_OIDC_JOIN: 'on',
    BECKON_OIDC_LINK: 'by_address',
    BECKON_OIDC_GROUPS_CLAIM: 'groups',
    BECKON_OIDC_REQUIRED_GROUPS: 'staff',
    BECKON_OIDC_OWNER_GROUPS: 'admins',
    BECKON_OIDC_GROUPS: 'engineers,7f3a=managers',
  })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  count++
  arrive({})
})

const mail = () => `p${count}@example.com`

/** The next who signs in at the provider. */
function arrive(claims: Record<string, unknown>) {
  const person = { sub: `sub-${count}`, email: mail(), name: `P${count}`, groups: ['staff'] }
  world.provider.knobs = { idToken: { ...person, ...claims }, userInfo: null }
}

const local = (changes: { role?: 'owner' | 'member'; email?: string } = {}) =>
  addPersonWithPassword(
    { db: world.db, clock },
    { email: mail(), name: `Local ${count}`, role: 'member', ...changes },
  )

async function outcome(browser?: Browser) {
  const { browser: of, response } = await world.signIn(browser)
  const to = response.headers.get('location') ?? ''
  if (to.startsWith('/sign-in/confirm/')) return { kind: 'confirm', to, browser: of }
  const who = await world.who(of)
  const page = response.status === 303 ? '' : await response.text()
  return { kind: who ?? 'refused', to, browser: of, page }
}

const idsOf = (personId: PersonId) => listIdentities(world.db.read, personId)
const find = (email = mail()) => findPersonByEmail(world.db.read, email)

test('somebody of the right domain and group becomes a member, once', async () => {
  expect((await outcome()).kind).toBe(`P${count}`)
  expect((await outcome()).kind).toBe(`P${count}`)
  expect(await find()).toMatchObject({ role: 'member', workspaceId: world.workspaceId })
})

test.each([
  ['another domain', { email: 'eve@evil.example' }],
  ['no group of those that are needed', { groups: ['guests'] }],
  ['groups that are not known', { groups: undefined }],
  ['too many groups for a token', { groups: undefined, _claim_names: { groups: 'src1' } }],
  ['groups in a form that is not read', { groups: [{ id: 1 }] }],
  ['an address that is not verified', { email_verified: false }],
  ['an address that is verified in words', { email_verified: 'true' }],
  ['no address', { email: undefined }],
  ['an address with a space before it', { email: ' ana@example.com' }],
])('a stranger with %s stays one, and owners see the attempt', async (_, claims) => {
  arrive(claims)
  expect((await outcome()).kind).toBe('refused')
  const page = await (await world.get('/audit')).text()
  expect(page).toContain('Acme')
  expect((await listPeople(world.db.read)).some(({ name }) => name === `P${count}`)).toBe(false)
})

test('a person who is invited joins with the role of the invitation', async () => {
  const owner = await find('mara@example.org')
  if (!owner) throw new Error('nobody owns it')
  const email = `someone@elsewhere.example`
  await invitePerson({ db: world.db, clock }, owner, { email, name: 'Some One', role: 'member' })
  arrive({ email })
  expect((await outcome()).kind).toBe('Some One')
})

test('an address that somebody has here is not enough: they prove themselves once more', async () => {
  const person = await local()
  const { kind, to, browser } = await outcome()
  expect(kind).toBe('confirm')
  expect(await idsOf(person.id)).toEqual([])
  // Not signed in, nothing is connected.
  await browser.post(to)
  expect(await idsOf(person.id)).toEqual([])
  // Another browser cannot use it.
  expect((await world.browser().get(to)).status).toBe(410)
  // The provider would only ask the same again.
  const signInPage = await (await browser.get(`/sign-in?next=${encodeURIComponent(to)}`)).text()
  expect(signInPage).not.toContain('Sign in with Acme')
  expect(signInPage).toContain('name="password"')
  const signedIn = await browser.post('/sign-in', { email: mail(), password: PASSWORD, next: to })
  expect(signedIn.headers.get('location')).toBe(to)
  expect(await (await browser.get(to)).text()).toContain('Connect it')
  expect((await browser.post(to)).status).toBe(303)
  expect(await idsOf(person.id)).toHaveLength(1)
  expect((await outcome()).kind).toBe(`Local ${count}`)
})

test('a sign-in from before the account came is no proof', async () => {
  const person = await local()
  const browser = world.browser()
  await browser.post('/sign-in', { email: mail(), password: PASSWORD })
  await Bun.sleep(2)
  const { to } = await outcome(browser)
  expect((await browser.post(to)).status).toBe(403)
  expect(await idsOf(person.id)).toEqual([])
})

test('an owner is asked for their own proof as well', async () => {
  const person = await local({ role: 'owner' })
  expect((await outcome()).kind).toBe('confirm')
  expect(await idsOf(person.id)).toEqual([])
})

test.each([
  ['false', { email_verified: false }],
  ['absent', { email_verified: undefined }],
  ['the word "false"', { email_verified: 'false' }],
  ['the word "true"', { email_verified: 'true' }],
])('an owner’s address whose proof is %s is refused', async (_, claims) => {
  const person = await local({ role: 'owner' })
  arrive(claims)
  expect((await outcome()).kind).toBe('refused')
  expect(await idsOf(person.id)).toEqual([])
})

test('an address in other case is the same one', async () => {
  await local()
  arrive({ email: mail().toUpperCase() })
  expect((await outcome()).kind).toBe('confirm')
})

test('a second account with the address of somebody connected is refused', async () => {
  await outcome()
  arrive({ sub: `other-${count}` })
  const { kind, page } = await outcome()
  expect(kind).toBe('refused')
  expect(page).toContain('another account of Acme')
})

test('the same account with another’s address stays who it was, and the address here, too', async () => {
  await outcome()
  arrive({ email: 'mara@example.org', email_verified: true })
  expect((await outcome()).kind).toBe(`P${count}`)
  expect(await find()).toBeDefined()
})

test('who is switched off is told so', async () => {
  await outcome()
  const person = await find()
  const whose = { workspaceId: world.workspaceId, personId: person?.id ?? '' }
  await world.db.write((tx) => putOff(tx, whose, Date.now()))
  const { kind, page } = await outcome()
  expect(kind).toBe('refused')
  expect(page).toContain('switched off')
})

test('roles follow the groups, cannot be changed here, and the only owner stays one', async () => {
  await outcome()
  arrive({ groups: ['staff', 'admins'] })
  await outcome()
  expect((await find())?.role).toBe('owner')
  const id = (await find())?.id ?? ''
  const change = await world.post(`/settings/people/${id}/role`, { role: 'member' })
  expect(change.status).toBe(409)
  // Not known is not none.
  arrive({ groups: undefined })
  expect((await outcome()).kind).toBe(`P${count}`)
  expect((await find())?.role).toBe('owner')
  arrive({ groups: ['staff'] })
  await outcome()
  expect((await find())?.role).toBe('member')
})

test('an auditor stays one, whatever the groups say, until an owner changes that', async () => {
  await outcome()
  const id = (await find())?.id ?? ''
  const change = (role: string) => world.post(`/settings/people/${id}/role`, { role })
  expect((await change('auditor')).status).toBe(303)
  for (const groups of [['staff', 'admins'], ['staff']]) {
    arrive({ groups })
    expect((await outcome()).kind).toBe(`P${count}`)
    expect((await find())?.role).toBe('auditor')
  }
  expect((await change('member')).status).toBe(303)
  arrive({ groups: ['staff', 'admins'] })
  await outcome()
  expect((await find())?.role).toBe('owner')
})

test('groups of the provider are groups here, and what is not known leaves them', async () => {
  arrive({ groups: ['staff', 'engineers', '7f3a', 'unlisted'] })
  await outcome()
  const person = await find()
  const mine = async () => {
    const groups = await listGroups(world.db.read, world.workspaceId)
    const rows = await listGroupMembers(world.db.read, world.workspaceId)
    const ids = rows.filter((one) => one.personId === person?.id).map((one) => one.groupId)
    return groups.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  }
  expect(await mine()).toEqual(['engineers', 'managers'])
  arrive({ groups: undefined, _claim_names: { groups: 'src1' } })
  await outcome()
  expect(await mine()).toEqual(['engineers', 'managers'])
  arrive({ groups: ['staff', '7f3a'] })
  await outcome()
  expect(await mine()).toEqual(['managers'])
  arrive({ groups: ['staff'] })
  await outcome()
  expect(await mine()).toEqual([])
})

test('what an account gave ends when it is disconnected, so that it gives nothing to two people', async () => {
  arrive({ groups: ['staff', 'engineers', 'admins'] })
  const { browser } = await outcome()
  const first = (await find())?.id ?? ''
  // A second way in, so that they may disconnect it.
  const [id, hash] = [`c${count}`, await passwordHash()]
  await world.db.write((tx) => putPassword(tx, { id, personId: first, hash }, 1))
  const path = '/settings/sign-in/providers/acme/disconnect'
  expect((await browser.post(path, { person: first })).status).toBe(303)
  const second = await local({ email: `second-${count}@example.com` })
  const other = world.browser()
  await other.post('/sign-in', { email: second.email, password: PASSWORD })
  await world.signIn(other, '/sign-in/with/acme?connect=yes')
  const groups = await listGroups(world.db.read, world.workspaceId)
  const engineers = groups.find(({ name }) => name === 'engineers')?.id
  const rows = await listGroupMembers(world.db.read, world.workspaceId)
  const theirs = rows.filter((one) => [first, second.id].includes(one.personId))
  expect(theirs).toMatchObject([{ groupId: engineers, personId: second.id }])
  const people = await listPeople(world.db.read, world.workspaceId)
  expect(people.find((one) => one.id === first)).toMatchObject({ role: 'member', roleFrom: null })
})

test('a signed-in person connects their account whatever its address, from our own pages alone', async () => {
  const person = await local()
  const browser = world.browser()
  await browser.post('/sign-in', { email: mail(), password: PASSWORD })
  arrive({ email: 'other@elsewhere.example' })
  const foreign = await browser.get('/sign-in/with/acme?connect=yes', {
    'sec-fetch-site': 'cross-site',
  })
  expect(foreign.headers.get('location')).toBe('/settings/sign-in')
  await world.signIn(browser, '/sign-in/with/acme?connect=yes')
  expect(await idsOf(person.id)).toHaveLength(1)
  expect((await outcome()).kind).toBe(`Local ${count}`)
})

test.each([
  [
    'its own domain',
    { email: 'ana@example.com', hd: 'example.com' },
    'ana@example.com',
    'example.com',
  ],
  [
    'another domain of the same company',
    { email: 'ana@example.org', hd: 'Example.com' },
    'ana@example.org',
    'example.com',
  ],
  ['an account that somebody made for themselves', { email: 'ana@example.com' }, null, null],
  ['an address of Google', { email: 'ana@gmail.com' }, 'ana@gmail.com', 'gmail.com'],
  [
    'an address that is not verified',
    { email: 'ana@example.com', hd: 'example.com', email_verified: false },
    null,
    null,
  ],
] as const)(
  'Google vouches for an address as far as it names the domain: %s',
  (_, claims, email, domain) => {
    const provider = { id: 'google', issuer: 'https://accounts.google.com', groupsClaim: '' }
    const arrival = readArrival(provider, { sub: '1', email_verified: true, ...claims }, {})
    expect([arrival.email, arrival.domain]).toEqual([email, domain])
  },
)
