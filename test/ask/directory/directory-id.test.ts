import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listIdentities } from '../../../src/ask/accounts/model/identity-store.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import { connectDirectory } from '../../support/directory-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

// Entra vouches for no address: what it calls `oid` is the `externalId` of its directory.

let world: CompanyWorld
let directory: Awaited<ReturnType<typeof connectDirectory>>
let count = 0
beforeAll(async () => {
  world = await companyWorld({ BECKON_OIDC_DIRECTORY_CLAIM: 'oid', BECKON_OIDC_LINK: 'by_address' })
  directory = await connectDirectory(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const emailOf = (n: number) => `user-${n}@example.com`

/** A user of the directory, and an account whose address nobody vouches for. */
async function make(claims: Record<string, unknown> = {}) {
  const [email, externalId] = [emailOf(++count), `oid-${count}`]
  const user = { userName: email, externalId, displayName: `Uma ${count}` }
  const reply = await directory.call('POST', '/Users', user)
  const idToken = { sub: `sub-${count}`, oid: externalId, email, name: 'Uma' }
  world.provider.knobs = {
    idToken: { ...idToken, email_verified: undefined, ...claims },
    userInfo: null,
  }
  return { email, externalId, id: (reply.j as { id: string }).id }
}
const signIn = async () => {
  const { browser, response } = await world.signIn()
  return { who: await world.who(browser), status: response.status }
}
const accounts = async (email: string) => {
  const person = await findPersonByEmail(world.db.read, email)
  return person ? await listIdentities(world.db.read, person.id) : []
}

test('whom the directory made comes in by its id, without a verified address, and stays that person', async () => {
  const { email } = await make()
  expect((await signIn()).who).toBe('Uma 1')
  expect(await accounts(email)).toHaveLength(1)
  const { idToken } = world.provider.knobs
  world.provider.knobs = { idToken: { ...idToken, email: 'renamed@example.com' }, userInfo: null }
  expect((await signIn()).who).toBe('Uma 1')
})

test('the id says who it is, and no address: not that of somebody else', async () => {
  const other = await make()
  const own = await make({ email: other.email, email_verified: true })
  expect((await signIn()).who).toBe('Uma 3')
  expect([await accounts(other.email), await accounts(own.email)]).toMatchObject([[], [{}]])
})

test.each([
  ['is another', { oid: 'oid-of-nobody' }],
  ['did not come', { oid: undefined }],
  ['is not as it was written', { oid: 'oid-1\u200b' }],
  ['is a list', { oid: ['oid-1'] }],
  ['is longer than any', { oid: 'x'.repeat(501) }],
])('an id that %s lets nobody in', async (_, claims) => {
  const { email } = await make(claims)
  expect((await signIn()).who).toBeNull()
  expect(await accounts(email)).toEqual([])
})

test('an id that was given to a second account is refused', async () => {
  await make()
  await signIn()
  const { idToken } = world.provider.knobs
  world.provider.knobs = { idToken: { ...idToken, sub: 'another' }, userInfo: null }
  expect((await signIn()).who).toBeNull()
})

test('whoever is switched off or deleted there stays out', async () => {
  const off = await make()
  const Operations = [{ op: 'Replace', path: 'active', value: 'False' }]
  await directory.call('PATCH', `/Users/${off.id}`, { Operations })
  expect((await signIn()).who).toBeNull()
  const gone = await make()
  await directory.call('DELETE', `/Users/${gone.id}`)
  expect((await signIn()).who).toBeNull()
})

test('a member with a password, taken on by the directory, proves themselves first; an owner is nobody’s', async () => {
  const member = { email: emailOf(count + 1), name: 'Uma', role: 'member' } as const
  await addPersonWithPassword({ db: world.db, clock }, member)
  await make()
  expect((await signIn()).who).toBeNull()
  expect(await accounts(member.email)).toEqual([])
  const { id, email } = await make()
  const person = await findPersonByEmail(world.db.read, email)
  expect(id).not.toBe('')
  await world.post(`/settings/people/${person?.id}/role`, { role: 'owner' })
  expect((await signIn()).who).toBeNull()
})
