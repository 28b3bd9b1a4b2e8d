import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Role } from '../../../src/ask/accounts/model/person.ts'
import { listPeople, putOff } from '../../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type DirectoryWorld, directoryWorld } from '../../support/directory-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

let world: DirectoryWorld
beforeAll(async () => {
  world = await directoryWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const add = (name: string, role: Role = 'member') =>
  addPersonWithPassword({ db: world.db, clock }, { email: `${name}@example.org`, name, role })
const people = () => listPeople(world.db.read, world.workspaceId)
const idOf = ({ j }: { j: unknown }) => (j as { id: string }).id

/** A user as Entra sends it: the address is in userName and in emails, `active` may be a word. */
const entra = (name: string) => ({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  ],
  externalId: `e-${name}`,
  userName: `${name[0]?.toUpperCase()}${name.slice(1)}@Example.org`,
  active: 'True',
  displayName: name,
  emails: [{ primary: true, type: 'work', value: `${name}@example.org` }],
  meta: { resourceType: 'User' },
})

/** As Okta sends it, with an empty list of groups and a password. */
const okta = (name: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: `${name}@example.org`,
  name: { givenName: name, familyName: 'Okta' },
  emails: [{ primary: true, value: `${name}@example.org`, type: 'work' }],
  displayName: `${name} Okta`,
  locale: 'en-US',
  externalId: `00u${name}`,
  groups: [],
  password: '1mz050nq',
  active: true,
})

for (const [client, user] of [
  ['Entra', entra],
  ['Okta', okta],
] as const) {
  test(`a member who is here becomes the user that ${client} makes, and stays who they were`, async () => {
    const name = `ana-${client.toLowerCase()}`
    const ana = await add(name)
    const cookie = await signInAs(world.app, ana.id)
    const before = await people()
    const filter = encodeURIComponent(`userName eq "${user(name).userName}"`)
    expect((await world.call('GET', `/Users?filter=${filter}`)).j).toMatchObject({
      totalResults: 0,
    })
    const reply = await world.call('POST', '/Users', user(name))
    expect([reply.s, (reply.j as { active: boolean }).active]).toEqual([201, true])
    expect(await people()).toEqual(before)
    expect((await world.get('/settings', cookie)).status).toBe(200)
    expect((await world.call('GET', `/Users?filter=${filter}`)).j).toMatchObject({
      totalResults: 1,
    })
    const rows = await world.db.read.select().from(audit)
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: 'directory.changed', subjectId: ana.id, subjectName: name }),
    )
    expect((await world.call('POST', '/Users', user(name))).s).toBe(409)

    const id = idOf(reply)
    const off = { op: 'Replace', path: 'active', value: client === 'Entra' ? 'False' : false }
    expect((await world.call('PATCH', `/Users/${id}`, { Operations: [off] })).s).toBe(200)
    expect((await people()).find((one) => one.id === ana.id)?.offAt).not.toBeNull()
    expect((await world.get('/settings', cookie)).status).not.toBe(200)
  })

  test(`${client} takes over no owner, auditor, nobody who was switched off, and nobody of elsewhere`, async () => {
    const of = (name: string) => `${name}-${client.toLowerCase()}`
    await add(of('boss'), 'owner')
    await add(of('eve'), 'auditor')
    const gone = await add(of('gone'))
    const whose = { workspaceId: world.workspaceId, personId: gone.id }
    await world.db.write((tx) => putOff(tx, whose, clock.now()))
    const taken = await add(of('taken'))
    expect((await world.call('POST', '/Users', user(of('taken')))).s).toBe(201)
    const before = await people()
    for (const name of ['boss', 'eve', 'gone'].map(of)) {
      const refused = await world.call('POST', '/Users', user(name))
      expect([name, refused.s, (refused.j as { scimType: string }).scimType]).toEqual([
        name,
        409,
        'uniqueness',
      ])
    }
    // A second user with the address of the first one.
    const twin = { ...user(of('taken')), userName: 'other@example.org', externalId: 'other' }
    expect((await world.call('POST', '/Users', twin)).s).toBe(409)
    // A second directory, with the users of the first one.
    const page = await (await world.post('/settings/directory', { name: client })).text()
    const token = /bs_[0-9a-z]{40}/.exec(page)?.[0] ?? ''
    const response = await fetch(`${world.base}/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(user(of('taken'))),
    })
    expect(response.status).toBe(409)
    // An address like that of a member is nobody's, and changes nobody.
    const user2 = user(of('taken'))
    const like = { ...user2, userName: `x-${of('taken')}@example.org`, externalId: 'x' }
    const likeness = await world.call('POST', '/Users', {
      ...like,
      emails: [{ primary: true, value: `x-${of('taken')}@example.org` }],
    })
    const steal = { op: 'replace', path: 'emails[type eq "work"].value', value: 'mara@example.org' }
    await world.call('PATCH', `/Users/${idOf(likeness)}`, { Operations: [steal] })
    const rename = { op: 'replace', path: 'userName', value: 'mara@example.org' }
    await world.call('PATCH', `/Users/${idOf(likeness)}`, { Operations: [rename] })
    const after = await people()
    for (const one of before) expect(after).toContainEqual(one)
    expect(after.filter(({ email }) => email === 'mara@example.org')).toHaveLength(1)
    expect(after.find(({ id }) => id === taken.id)?.offAt).toBeNull()
  })
}

test('a user who is made switched off switches the member off, and is switched on again', async () => {
  const bob = await add('bob')
  const reply = await world.call('POST', '/Users', { ...okta('bob'), active: false })
  const isOff = async () => (await people()).find(({ id }) => id === bob.id)?.offAt !== null
  expect([reply.s, await isOff()]).toEqual([201, true])
  const on = { op: 'replace', value: { active: true } }
  await world.call('PATCH', `/Users/${idOf(reply)}`, { Operations: [on] })
  expect(await isOff()).toBe(false)
})
