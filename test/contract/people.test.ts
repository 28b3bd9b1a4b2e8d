import { expect, test } from 'bun:test'
import {
  account,
  passkey,
  session,
  verification,
} from '../../src/ask/accounts/model/auth-tables.ts'
import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import * as invitations from '../../src/ask/accounts/model/invitation-store.ts'
import * as passkeys from '../../src/ask/accounts/model/passkey-store.ts'
import type { Role } from '../../src/ask/accounts/model/person.ts'
import * as store from '../../src/ask/accounts/model/person-store.ts'
import { purgeSignIns } from '../../src/ask/accounts/model/purge-store.ts'
import * as challenges from '../../src/ask/accounts/model/vote-challenge-store.ts'
import { homeWorkspace } from '../../src/ask/accounts/model/workspace-store.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const ada = {
  id: 'p1',
  name: 'Ada',
  email: 'ada@example.com',
  workspaceId: 'ws_1',
  role: 'owner',
} as const

onBothDatabases('people', (db) => {
  const add = (person: store.NewPerson) => db().write((tx) => store.insertPerson(tx, person, NOW))

  test('a person is found by id and address, in the workspace they belong to', async () => {
    expect(await store.anyPerson(db().read)).toBe(false)
    expect(await add(ada)).toBe(true)
    expect(await store.anyPerson(db().read)).toBe(true)
    expect(await store.findPerson(db().read, 'p1')).toEqual(ada)
    expect(await store.findPersonByEmail(db().read, 'ada@example.com')).toEqual(ada)
    expect(await store.findPersonByEmail(db().read, 'ADA@example.com')).toBeUndefined()
    expect(await store.findPerson(db().read, 'p2')).toBeUndefined()
  })

  test('who signed in is found by the token, with the workspace they joined first', async () => {
    await add(ada)
    await add({ ...ada, id: 'p2', email: 'ben@example.com', workspaceId: 'ws_2', role: 'member' })
    const expiresAt = new Date(NOW + 1_000)
    const times = { createdAt: new Date(NOW), updatedAt: new Date(NOW), expiresAt }
    await db().write(async (tx) => {
      await tx.insert(session).values({ id: 's1', userId: 'p1', token: 'one', ...times })
    })
    expect(await store.findSignedIn(db().read, 'one')).toEqual({
      id: 's1',
      person: ada,
      ...times,
      ...{ provider: null, provenUntil: null, provenAt: null, pairedAt: null },
    })
    expect(await store.findSignedIn(db().read, 'two')).toBeUndefined()
  })

  test('an address belongs to one person, however many try at once', async () => {
    const added = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => add({ ...ada, id, workspaceId: 'ws_1' })),
    )
    expect(added.filter(Boolean)).toHaveLength(1)
  })

  test('everybody is listed by address, with their workspace', async () => {
    await db().write((tx) => homeWorkspace(tx, 'ws_1', NOW))
    await add({ ...ada, id: 'p2', email: 'bob@example.com', role: 'member' })
    await add(ada)
    const listed = await store.listPeople(db().read)
    expect(listed.map(({ email, workspace }) => [email, workspace])).toEqual([
      ['ada@example.com', 'Home'],
      ['bob@example.com', 'Home'],
    ])
    expect(listed[0]?.createdAt).toEqual(new Date(NOW))
  })

  test('only the people of a workspace are listed for it, and only theirs is the role', async () => {
    await db().write((tx) => homeWorkspace(tx, 'ws_1', NOW))
    await add(ada)
    await add({ ...ada, id: 'p2', email: 'bob@example.com', role: 'member' })
    const owners = (of: WorkspaceId, but: string) => store.anyOwnerBeside(db().read, of, but)
    const role = (personId: string, role: Role) =>
      db().write((tx) => store.putRole(tx, { workspaceId: 'ws_1', personId, role }))
    expect((await store.listPeople(db().read, 'ws_1')).map(({ id }) => id)).toEqual(['p1', 'p2'])
    const among = await store.listPeople(db().read, 'ws_1', ['p2', 'p9'])
    expect(among.map(({ id }) => id)).toEqual(['p2'])
    const roles = ['p1', 'p2', 'p3'].map((id) => store.findRole(db().read, 'ws_1', id))
    expect(await Promise.all(roles)).toEqual(['owner', 'member', undefined])
    expect(await store.findRole(db().read, 'ws_2', 'p1')).toBeUndefined()
    expect(await store.listPeople(db().read, 'ws_2')).toEqual([])
    expect(await owners('ws_1', 'p1')).toBe(false)
    expect(await owners('ws_1', 'p2')).toBe(true)
    await role('p2', 'owner')
    expect(await owners('ws_1', 'p1')).toBe(true)
    expect(await owners('ws_2', 'p1')).toBe(false)
    expect(await store.findPerson(db().read, 'p2')).toMatchObject({ role: 'owner' })
    await role('p1', 'member')
    await role('nobody', 'owner')
    expect(await owners('ws_1', 'p2')).toBe(false)
  })

  test('whoever has a password or a passkey can sign in, nobody else', async () => {
    const password = { id: 'c1', personId: 'p1', hash: 'x' }
    const key = {
      ...{ id: 'k2', userId: 'p2', name: null, publicKey: 'x', credentialID: 'c', counter: 0 },
      ...{ deviceType: 'multiDevice', backedUp: true, transports: null, createdAt: null },
      aaguid: null,
    }
    await db().write(async (tx) => {
      await store.lockEntry(tx, 'p1')
      await store.putPassword(tx, password, NOW)
      await tx.insert(passkey).values(key)
    })
    expect(await store.whoSignsInLocally(db().read)).toEqual(new Set(['p1', 'p2']))
    expect(await store.whoCanSignIn(db().read)).toEqual(new Set(['p1', 'p2']))
    const passwords = ['p1', 'p2', 'p3'].map((id) => store.hasPassword(db().read, id))
    expect(await Promise.all(passwords)).toEqual([true, false, false])
    const each = await Promise.all(
      ['p1', 'p2', 'p3'].map((id) => store.whoCanSignIn(db().read, id)),
    )
    expect(each.map((ids) => [...ids])).toEqual([['p1'], ['p2'], []])
  })

  test('a password takes the place of the one before', async () => {
    const put = (id: string, hash: string) =>
      db().write((tx) => store.putPassword(tx, { id, personId: 'p1', hash }, NOW))
    await put('c1', 'one')
    await put('c2', 'two')
    const accounts = await db().read.select().from(account)
    expect(accounts.map(({ id, password }) => [id, password])).toEqual([['c2', 'two']])
  })

  test('passkeys are listed from the oldest, and dropped only by their person', async () => {
    const rest = { publicKey: 'k', counter: 0, deviceType: 'x', backedUp: false }
    const keys = [
      ['new', 'p1', NOW],
      ['old', 'p1', NOW - 1_000],
      ['other', 'p2', NOW],
    ] as const
    await db().write(async (tx) => {
      for (const [id, userId, at] of keys) {
        const own = { id, userId, name: `of ${id}`, credentialID: id, createdAt: new Date(at) }
        await tx.insert(passkey).values({ ...rest, ...own })
      }
    })
    const ids = async (of: string) =>
      (await passkeys.listPasskeys(db().read, of)).map(({ id }) => id)
    expect(await passkeys.listPasskeys(db().read, 'p1')).toEqual([
      { id: 'old', name: 'of old', createdAt: new Date(NOW - 1_000) },
      { id: 'new', name: 'of new', createdAt: new Date(NOW) },
    ])
    await db().write((tx) => passkeys.dropPasskey(tx, 'p1', 'other'))
    await db().write((tx) => passkeys.dropPasskey(tx, 'p1', 'old'))
    expect([await ids('p1'), await ids('p2')]).toEqual([['new'], ['other']])
  })

  test('a passkey counts how often it signed, and one that is gone does not', async () => {
    const key = { credentialID: 'c', publicKey: 'k', counter: 1, deviceType: 's', backedUp: false }
    await db().write((tx) => tx.insert(passkey).values({ ...key, id: 'key', userId: 'p1' }))
    expect(await passkeys.listPasskeyKeys(db().read, 'p1')).toEqual([
      { id: 'key', credentialId: 'c', publicKey: 'k', counter: 1 },
    ])
    expect(await passkeys.listPasskeyKeys(db().read, 'p2')).toEqual([])
    const countUse = (id: string) => db().write((tx) => passkeys.countPasskeyUse(tx, id, 7))
    expect([await countUse('key'), await countUse('gone')]).toEqual([true, false])
    expect(await passkeys.listPasskeyKeys(db().read, 'p1')).toMatchObject([{ counter: 7 }])
  })

  test('what a passkey has to sign counts once, for one person, one question and a while', async () => {
    const of = { questionId: 'q_1', personId: 'p1' } as const
    const put = (hash: string) =>
      db().write((tx) =>
        challenges.putChallenge(tx, { ...of, id: hash, hash, expiresAt: NOW + 5 }, NOW),
      )
    const take = (hash: string, more: object = {}, at = NOW) =>
      db().write((tx) => challenges.takeChallenge(tx, { ...of, hash, ...more }, at))
    await put('one')
    expect(await take('one', { personId: 'p2' })).toBe(false)
    expect(await take('one', { questionId: 'q_2' })).toBe(false)
    expect(await take('one', {}, NOW + 5)).toBe(false)
    const both = await Promise.all([take('one'), take('one')])
    expect(both.filter(Boolean)).toHaveLength(1)
    await put('two')
    await put('three')
    expect([await take('two'), await take('three')]).toEqual([false, true])
  })

  test('who is shut out has no sign-in, password or passkey left; others keep theirs', async () => {
    const at = new Date(NOW)
    await db().write(async (tx) => {
      for (const userId of ['p1', 'p2']) {
        await store.putPassword(tx, { id: `c-${userId}`, personId: userId, hash: 'x' }, NOW)
        const times = { createdAt: at, updatedAt: at, expiresAt: at }
        await tx.insert(session).values({ id: `s-${userId}`, userId, token: userId, ...times })
        await tx.insert(passkey).values({
          id: `k-${userId}`,
          userId,
          publicKey: 'k',
          credentialID: userId,
          counter: 0,
          deviceType: 'singleDevice',
          backedUp: false,
        })
      }
      await store.shutOut(tx, 'p1')
    })
    for (const table of [account, session, passkey]) {
      const left = await db().read.select({ userId: table.userId }).from(table)
      expect(left).toEqual([{ userId: 'p2' }])
    }
  })

  test('whoever leaves the last workspace is gone, with every way in; a name is put in its place', async () => {
    await db().write((tx) => homeWorkspace(tx, 'ws_1', NOW))
    await add(ada)
    await add({ ...ada, id: 'p2', email: 'bob@example.com', role: 'member' })
    await db().write((tx) => store.putName(tx, { personId: 'p2', name: 'Bob' }, NOW))
    expect(await store.findPerson(db().read, 'p2')).toMatchObject({ name: 'Bob' })
    expect(await store.findPerson(db().read, 'p1')).toEqual(ada)
    await db().write((tx) => store.leaveWorkspace(tx, 'ws_1', 'p2'))
    expect(await store.findPerson(db().read, 'p2')).toBeUndefined()
    expect(await store.findPersonByEmail(db().read, 'bob@example.com')).toBeUndefined()
    expect(await store.findPerson(db().read, 'p1')).toEqual(ada)
  })

  test('of invitations those that still hold are listed, of the people asked about', async () => {
    const invite = (hash: string, personId: string, until: number) =>
      db().write((tx) =>
        invitations.addInvitation(tx, { id: hash, hash, personId, expiresAt: until }, NOW),
      )
    await invite('l1', 'p1', NOW + 10)
    await invite('l2', 'p2', NOW + 20)
    await invite('l3', 'p3', NOW + 20)
    const listed = await invitations.listInvitations(db().read, ['p1', 'p2'], NOW + 10)
    expect([...listed]).toEqual([['p2', NOW + 20]])
    expect((await invitations.listInvitations(db().read, [], NOW)).size).toBe(0)
  })

  test('an invitation is good until its time, once, for one of those who try', async () => {
    const invite = (hash: string, personId = 'p1') =>
      db().write((tx) =>
        invitations.addInvitation(tx, { id: hash, hash, personId, expiresAt: NOW + 10 }, NOW),
      )
    const take = (hash: string, now: number) =>
      db().write((tx) => invitations.takeInvitation(tx, hash, now))
    await invite('h1')
    expect(await invitations.findInvitation(db().read, 'h1', NOW + 9)).toBe('p1')
    expect(await invitations.findInvitation(db().read, 'h1', NOW + 10)).toBeUndefined()
    expect(await invitations.findInvitation(db().read, 'h2', NOW)).toBeUndefined()
    expect(await take('h1', NOW + 10)).toBeUndefined()
    const taken = await Promise.all([take('h1', NOW), take('h1', NOW), take('h1', NOW)])
    expect(taken.filter(Boolean)).toEqual(['p1'])

    await invite('h3')
    await invite('h4', 'p2')
    await db().write((tx) => invitations.dropInvitations(tx, 'p1'))
    expect(await take('h3', NOW)).toBeUndefined()
    expect(await take('h4', NOW)).toBe('p2')
  })

  test('what is no longer good is forgotten, so many at a time', async () => {
    const times = (until: number) => {
      const [at, expiresAt] = [new Date(NOW), new Date(until)]
      return { createdAt: at, updatedAt: at, expiresAt }
    }
    await db().write(async (tx) => {
      for (const [id, until] of [
        ['old', NOW - 1],
        ['older', NOW - 2],
        ['good', NOW],
      ] as const) {
        await tx.insert(verification).values({ id, identifier: id, value: id, ...times(until) })
        await tx.insert(session).values({ id, userId: 'p1', token: id, ...times(until) })
      }
    })
    const purge = () => db().write((tx) => purgeSignIns(tx, NOW, 1))
    expect([await purge(), await purge(), await purge()]).toEqual([2, 2, 0])
    for (const table of [verification, session]) {
      expect(await db().read.select({ id: table.id }).from(table)).toEqual([{ id: 'good' }])
    }
  })
})
