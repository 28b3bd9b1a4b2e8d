import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listIdentities } from '../../../src/ask/accounts/model/identity-store.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import { connectDirectory } from '../../support/directory-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

// People whom a directory has made have no password: the provider of the same company lets them in.

let world: CompanyWorld
let directory: Awaited<ReturnType<typeof connectDirectory>>
let count = 0
beforeAll(async () => {
  world = await companyWorld()
  directory = await connectDirectory(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** A user of the directory, and an account at the provider with the same address. */
async function make(claims: Record<string, unknown> = {}) {
  const email = `user-${++count}@example.com`
  const reply = await directory.call('POST', '/Users', { userName: email, displayName: 'Uma' })
  world.provider.knobs = {
    idToken: { sub: `sub-${count}`, email, name: 'Uma', ...claims },
    userInfo: null,
  }
  return { email, id: (reply.j as { id: string }).id }
}
const signIn = async () => {
  const { browser, response } = await world.signIn()
  return { who: await world.who(browser), response }
}
const accounts = async (email: string) => {
  const person = await findPersonByEmail(world.db.read, email)
  return person ? await listIdentities(world.db.read, person.id) : []
}

test('somebody whom the directory made signs in with the account of their verified address', async () => {
  const { email } = await make()
  expect((await signIn()).who).toBe('Uma')
  expect(await accounts(email)).toHaveLength(1)
  expect((await signIn()).who).toBe('Uma')
})

test.each([
  ['is not verified', { email_verified: false }],
  ['is verified in words', { email_verified: 'true' }],
  ['is another', { email: 'somebody.else@example.com' }],
])('an address that %s lets nobody in as them', async (_, claims) => {
  const { email } = await make(claims)
  expect((await signIn()).who).toBeNull()
  expect(await accounts(email)).toEqual([])
})

test('a second account with the address is refused', async () => {
  await make()
  await signIn()
  const { idToken } = world.provider.knobs
  world.provider.knobs = { idToken: { ...idToken, sub: 'another' }, userInfo: null }
  expect((await signIn()).who).toBeNull()
})

test('whoever the directory has switched off or deleted stays out', async () => {
  const off = await make()
  await directory.call('PATCH', `/Users/${off.id}`, {
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  })
  expect((await signIn()).who).toBeNull()
  const gone = await make()
  await directory.call('DELETE', `/Users/${gone.id}`)
  expect((await signIn()).who).toBeNull()
  expect([...(await accounts(off.email)), ...(await accounts(gone.email))]).toEqual([])
})

test('a member with a password of their own, taken on by the directory, proves themselves first', async () => {
  const email = `user-${count + 1}@example.com`
  await addPersonWithPassword({ db: world.db, clock }, { email, name: 'Uma', role: 'member' })
  await make()
  const { who, response } = await signIn()
  expect(who).toBeNull()
  expect(response.status).toBe(403)
  expect(await accounts(email)).toEqual([])
})
