import { expect, test } from 'bun:test'
import { session } from '../../src/ask/accounts/model/auth-tables.ts'
import * as store from '../../src/ask/accounts/model/pairing-store.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const row = (hash: string, more = {}) => ({
  ...{ hash, pairingId: 'pair_1' as const, workspaceId: 'ws_1' as const, personId: 'p1' },
  ...{ step: 'phone' as const, fingerprint: '012345', createdAt: NOW, expiresAt: NOW + 10 },
  ...more,
})

onBothDatabases('pairings', (db) => {
  const add = (hash: string, more = {}) =>
    db().write((tx) => store.addPairingCode(tx, row(hash, more)))
  const take = (hash: string, now = NOW) =>
    db().write((tx) => store.takePairingCode(tx, hash, { now, device: 'Phone' }))

  test('a code is taken once, in its time, and remembers its sign-in', async () => {
    await add('h1')
    expect(await store.findPairingCode(db().read, 'h1')).toMatchObject({ usedAt: null })
    expect(await take('h1', NOW + 10)).toBeUndefined()
    const taken = await Promise.all([take('h1'), take('h1'), take('h1')])
    expect(taken.filter(Boolean)).toMatchObject([{ usedAt: NOW, device: 'Phone' }])
    expect(await db().write((tx) => store.keepPairedSignIn(tx, 'h1', 's1'))).toBe(true)
    expect(await store.findPairingCode(db().read, 'h1')).toMatchObject({ signInId: 's1' })
  })

  test('cancelling ends all codes of one pairing of one person, once', async () => {
    await add('h1')
    await add('h2', { step: 'app', createdAt: NOW + 1 })
    await add('h3', { pairingId: 'pair_2' })
    const cancel = (who: string) =>
      db().write((tx) => store.cancelPairingCodes(tx, who, { pairingId: 'pair_1', now: NOW }))
    expect(await cancel('p2')).toEqual([])
    expect((await cancel('p1')).map(({ hash }) => hash).sort()).toEqual(['h1', 'h2'])
    expect(await cancel('p1')).toEqual([])
    expect(await take('h1')).toBeUndefined()
    expect(await db().write((tx) => store.keepPairedSignIn(tx, 'h1', 's1'))).toBe(false)
    expect(await take('h3')).toBeDefined()
    const listed = await store.listPairingCodes(db().read, 'p1', 'pair_1')
    expect(listed.map(({ hash }) => hash)).toEqual(['h1', 'h2'])
  })

  test('old codes are forgotten, and named sign-ins ended', async () => {
    await add('h1')
    await add('h2', { expiresAt: NOW + 20 })
    await db().write((tx) => store.dropOldPairingCodes(tx, NOW + 20))
    expect(await store.findPairingCode(db().read, 'h1')).toBeUndefined()
    expect(await store.findPairingCode(db().read, 'h2')).toBeDefined()
    const at = new Date(NOW)
    const times = { expiresAt: at, createdAt: at, updatedAt: at }
    await db().write(async (tx) => {
      for (const id of ['s1', 's2']) {
        await tx.insert(session).values({ id, userId: 'p1', token: id, ...times })
      }
      await store.endSignIns(tx, [])
      await store.endSignIns(tx, ['s1'])
    })
    expect(await db().read.select({ id: session.id }).from(session)).toEqual([{ id: 's2' }])
  })
})
