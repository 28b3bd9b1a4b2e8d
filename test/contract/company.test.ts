import { expect, test } from 'bun:test'
import { session } from '../../src/ask/accounts/model/auth-tables.ts'
import * as identityStore from '../../src/ask/accounts/model/identity-store.ts'
import { addInvitation, isFromPerson } from '../../src/ask/accounts/model/invitation-store.ts'
import * as personStore from '../../src/ask/accounts/model/person-store.ts'
import * as signInStore from '../../src/ask/accounts/model/sign-in-store.ts'
import type { SignInFlow } from '../../src/ask/company/model/flow.ts'
import * as flowStore from '../../src/ask/company/model/flow-store.ts'
import type { Provider } from '../../src/ask/company/model/provider.ts'
import * as providerStore from '../../src/ask/company/model/provider-store.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = 1_000_000
const ACCOUNT = { provider: 'acme', issuer: 'https://login.example.com', subject: '1' }
const IDENTITY: identityStore.Identity = {
  ...ACCOUNT,
  ...{ workspaceId: 'ws_1', personId: 'ann', label: 'ann@example.com', groups: ['a'] },
  ...{ createdAt: NOW, usedAt: NOW },
}
const PROVIDER: Provider = {
  ...{ id: 'acme', workspaceId: 'ws_1', secret: 'secret', isFixed: false, name: 'Acme' },
  ...{ issuer: 'https://login.example.com', clientId: 'beckon', clientAuth: 'post', scopes: [] },
  ...{ groupsClaim: '', domains: [], requiredGroups: [], ownerGroups: [], groups: [] },
  ...{ joins: false, links: false, hours: 12 },
}
const FLOW: SignInFlow = {
  ...{ hash: 'h', provider: 'acme', browserHash: 'b', nonce: 'n', verifier: 'v', next: '/' },
  ...{ purpose: 'link', personId: 'ann', arrival: null, createdAt: NOW, expiresAt: NOW + 10 },
}
const ann = { id: 'ann', name: 'Ann', email: 'ann@example.com', workspaceId: 'ws_1' } as const

onBothDatabases('company sign-in', (db) => {
  const { addIdentity, findIdentity, renewIdentity, listIdentities } = identityStore

  test('an account is one person’s; groups that are not known stay as they were', async () => {
    expect(await db().write((tx) => addIdentity(tx, IDENTITY))).toBe(true)
    expect(await db().write((tx) => addIdentity(tx, { ...IDENTITY, personId: 'ben' }))).toBe(false)
    // The same id at another issuer is somebody else.
    const issuer = 'https://other.example.com'
    expect(await findIdentity(db().read, { ...ACCOUNT, issuer })).toBeUndefined()
    const renew = (groups: string[] | null) =>
      db().write((tx) => renewIdentity(tx, ACCOUNT, { usedAt: NOW + 1, label: 'Ann', groups }))
    await renew(null)
    expect(await findIdentity(db().read, ACCOUNT)).toEqual({
      ...IDENTITY,
      ...{ usedAt: NOW + 1, label: 'Ann' },
    })
    await renew([])
    expect((await listIdentities(db().read, 'ann'))[0]?.groups).toEqual([])
    expect(await identityStore.listIdentitiesOf(db().read, 'acme')).toHaveLength(1)
    expect(await identityStore.listIdentitiesIn(db().read, IDENTITY.workspaceId)).toHaveLength(1)
    expect(await identityStore.listIdentitiesIn(db().read, 'ws_other')).toEqual([])
    expect(await db().write((tx) => identityStore.dropIdentitiesOf(tx, 'other'))).toBe(0)
    const drop = (provider?: string) =>
      db().write((tx) => identityStore.dropIdentities(tx, 'ann', provider))
    expect(await drop('other')).toBe(0)
    expect(await drop()).toBe(1)
    await db().write((tx) => identityStore.addIdentity(tx, IDENTITY))
    expect(await db().write((tx) => identityStore.dropIdentitiesOf(tx, 'acme'))).toBe(1)
  })

  test('a provider is stored with its secret, which stays unless another is given', async () => {
    const { addProvider, findProvider, putProvider, dropProvider, listProviders } = providerStore
    expect(await db().write((tx) => addProvider(tx, PROVIDER, NOW))).toBe(true)
    expect(await db().write((tx) => addProvider(tx, PROVIDER, NOW))).toBe(false)
    await db().write((tx) => putProvider(tx, { ...PROVIDER, secret: null, hours: 1 }))
    expect(await findProvider(db().read, 'acme')).toEqual({ ...PROVIDER, hours: 1 })
    await db().write((tx) => putProvider(tx, { ...PROVIDER, secret: null, clientAuth: 'none' }))
    expect((await listProviders(db().read))[0]?.secret).toBeNull()
    expect(await db().write((tx) => dropProvider(tx, 'ws_2', 'acme'))).toBe(false)
    expect(await db().write((tx) => dropProvider(tx, 'ws_1', 'acme'))).toBe(true)
  })

  test('a sign-in on its way is used once, by its browser, in time', async () => {
    const { addFlow, findFlow, takeFlow, countFlows, dropFlowsOf } = flowStore
    await db().write((tx) => addFlow(tx, FLOW))
    expect(await countFlows(db().read, NOW)).toBe(1)
    expect(await countFlows(db().read, NOW + 10)).toBe(0)
    const take = (changes: Partial<SignInFlow>, now = NOW) =>
      db().write((tx) => takeFlow(tx, { ...FLOW, ...changes }, now))
    expect(await take({ browserHash: 'x' })).toBeUndefined()
    expect(await take({ provider: 'other' })).toBeUndefined()
    expect(await take({}, NOW + 10)).toBeUndefined()
    expect(await findFlow(db().read, FLOW, NOW)).toEqual(FLOW)
    const both = await Promise.all([take({}), take({})])
    expect(both.filter(Boolean)).toEqual([FLOW])
    await db().write((tx) => addFlow(tx, FLOW))
    await db().write((tx) => dropFlowsOf(tx, 'ann'))
    expect(await findFlow(db().read, FLOW, NOW)).toBeUndefined()
  })

  test('a logout token counts once', async () => {
    const take = (now = NOW) =>
      db().write((tx) =>
        flowStore.takeLogoutId(tx, { provider: 'acme', hash: 'h', expiresAt: NOW + 5 }, now),
      )
    expect(await take()).toBe(true)
    expect(await take()).toBe(false)
    expect(await take(NOW + 5)).toBe(true)
  })

  test('whoever is switched off is nobody until they are switched on', async () => {
    const { findActivePerson, findRole, findPerson, putOff } = personStore
    await db().write((tx) => personStore.insertPerson(tx, { ...ann, role: 'owner' }, NOW))
    const off = (at: number | null) =>
      db().write((tx) => putOff(tx, { workspaceId: 'ws_1', personId: 'ann' }, at))
    expect(await off(NOW)).toBe(true)
    expect(await off(NOW)).toBe(false)
    expect(await findActivePerson(db().read, 'ann')).toBeUndefined()
    expect(await findRole(db().read, 'ws_1', 'ann')).toBeUndefined()
    expect(await findPerson(db().read, 'ann')).toMatchObject(ann)
    expect(await off(null)).toBe(true)
    expect(await findActivePerson(db().read, 'ann')).toMatchObject(ann)
  })

  test('a sign-in knows its provider and until when that proves it', async () => {
    const { markProven, findProof, listProvenSignIns, endSignInWith, endAllSignIns } = signInStore
    const at = new Date(NOW)
    const times = { createdAt: at, updatedAt: at, expiresAt: new Date(NOW + 100) }
    await db().write(async (tx) => {
      for (const id of ['s1', 's2', 's3']) {
        await tx.insert(session).values({ id, token: id, userId: 'ann', ...times })
      }
      await markProven(tx, 's1', { provider: 'acme', sid: 'there', until: NOW + 5 })
      await markProven(tx, 's2', { provider: 'acme', until: NOW + 9, at: NOW - 3 })
    })
    expect(await findProof(db().read, 'ann', NOW)).toEqual({ provider: 'acme', until: NOW + 9 })
    expect(await findProof(db().read, 'ann', NOW + 9)).toBeUndefined()
    const when = await db().read.select({ at: session.provenAt }).from(session)
    expect(when.flatMap((one) => one.at?.getTime() ?? [])).toEqual([NOW - 3])
    const list = async (of: object) =>
      (await listProvenSignIns(db().read, { provider: 'acme', ...of })).map(({ id }) => id).sort()
    expect(await list({})).toEqual(['s1', 's2'])
    expect(await list({ sid: 'there' })).toEqual(['s1'])
    expect(await list({ personId: 'ben' })).toEqual([])
    await db().write((tx) => endSignInWith(tx, 's1'))
    expect(await list({})).toEqual(['s2'])
    expect((await db().write((tx) => endAllSignIns(tx, 'ann'))).length).toBe(2)
  })

  test('an invitation is from a person, or from whoever runs the server', async () => {
    const invitation = { id: 'i', hash: 'i', personId: 'ann', expiresAt: NOW + 5 }
    await db().write((tx) => addInvitation(tx, invitation, NOW))
    await db().write((tx) =>
      addInvitation(tx, { ...invitation, id: 'j', hash: 'j', invitedBy: 'ben' }, NOW),
    )
    expect(await isFromPerson(db().read, 'i')).toBe(false)
    expect(await isFromPerson(db().read, 'j')).toBe(true)
  })
})
