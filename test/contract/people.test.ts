import { expect, test } from 'bun:test'
import * as invitations from '../../src/accounts/invitation-store.ts'
import type { Role } from '../../src/accounts/person.ts'
import * as store from '../../src/accounts/person-store.ts'
import { homeWorkspace } from '../../src/accounts/workspace-store.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('people', (db) => {
  const add = (name: string, role: Role = 'member', email = `${name}@example.com`) =>
    db().write(async (tx) => {
      const workspaceId = await homeWorkspace(tx, 'ws_1', 5)
      return await store.addPerson(tx, { id: `id-${name}`, name, email, workspaceId, role }, 5)
    })

  test('a person is found by id and address, with workspace and role', async () => {
    expect(await store.anyPerson(db().read)).toBe(false)
    expect(await add('ada', 'owner')).toBe(true)
    expect(await store.anyPerson(db().read)).toBe(true)
    const ada = {
      id: 'id-ada',
      name: 'ada',
      email: 'ada@example.com',
      workspaceId: 'ws_1' as const,
      role: 'owner' as const,
    }
    expect(await store.findPerson(db().read, 'id-ada')).toEqual(ada)
    expect(await store.findPersonByEmail(db().read, 'ada@example.com')).toEqual(ada)
    expect(await store.findPerson(db().read, 'id-eve')).toBeUndefined()
    expect(await store.findPersonByEmail(db().read, 'ADA@example.com')).toBeUndefined()
  })

  test('an address is taken once, also when two want it at once', async () => {
    const email = 'shared@example.com'
    const outcomes = await Promise.all(['a', 'b', 'c'].map((name) => add(name, 'member', email)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await store.listPeople(db().read)).toHaveLength(1)
  })

  test('everybody is listed by address, with the workspace they belong to', async () => {
    for (const name of ['bob', 'ada']) await add(name)
    const listed = await store.listPeople(db().read)
    expect(listed.map(({ email, workspace }) => [email, workspace])).toEqual([
      ['ada@example.com', 'Home'],
      ['bob@example.com', 'Home'],
    ])
    expect(listed[0]?.createdAt).toEqual(new Date(5))
  })

  test('a new password stands in place of the old, and somebody shut out has none', async () => {
    await add('ada')
    const put = (id: string) =>
      db().write((tx) => store.putPassword(tx, { id, personId: 'id-ada', hash: id }, 6))
    await put('p1')
    await put('p2')
    // The same id again: there is room for it only when the row before is gone.
    await put('p1')
    await db().write((tx) => store.shutOut(tx, 'id-ada'))
    await put('p1')
  })
})

onBothDatabases('invitations', (db) => {
  const add = (id: string, personId = 'id-ada', expiresAt = 100) =>
    db().write((tx) =>
      invitations.addInvitation(tx, { id, hash: `hash-${id}`, personId, expiresAt }, 5),
    )
  const find = (id: string, now = 99) => invitations.findInvitation(db().read, `hash-${id}`, now)
  const take = (id: string, now = 99) =>
    db().write((tx) => invitations.takeInvitation(tx, `hash-${id}`, now))

  test('an invitation is good until its end, and nothing else is', async () => {
    await add('a')
    expect(await find('a')).toBe('id-ada')
    expect(await find('a', 100)).toBeUndefined()
    expect(await take('a', 100)).toBeUndefined()
    expect(await find('b')).toBeUndefined()
  })

  test('of many who take it, one has it', async () => {
    await add('a')
    const taken = await Promise.all([1, 2, 3, 4].map(() => take('a')))
    expect(taken.filter(Boolean)).toEqual(['id-ada'])
    expect(await find('a')).toBeUndefined()
  })

  test('dropping those of one person leaves the others', async () => {
    await add('a')
    await add('b', 'id-bob')
    await db().write((tx) => invitations.dropInvitations(tx, 'id-ada'))
    expect([await find('a'), await find('b')]).toEqual([undefined, 'id-bob'])
  })
})
