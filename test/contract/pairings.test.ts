import { expect, test } from 'bun:test'
import { session } from '../../src/ask/accounts/model/auth-tables.ts'
import * as store from '../../src/ask/accounts/model/pairing-store.ts'
import * as signIns from '../../src/ask/accounts/model/sign-in-store.ts'
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

  test('the codes that wait of one person are ended', async () => {
    await add('h1')
    await add('h2', { pairingId: 'pair_2', personId: 'p2' })
    await add('h3', { pairingId: 'pair_3' })
    await take('h3')
    await db().write((tx) => store.endWaitingCodes(tx, 'p1', NOW + 10))
    expect((await store.findPairingCode(db().read, 'h1'))?.cancelledAt).toBeNull()
    await db().write((tx) => store.endWaitingCodes(tx, 'p1', NOW))
    expect(await take('h1')).toBeUndefined()
    expect(await take('h2')).toBeDefined()
    expect(await store.findPairingCode(db().read, 'h3')).toMatchObject({ cancelledAt: null })
  })

  test('sign-ins are listed: one’s own first, then the last used, without those that are over', async () => {
    const later = new Date(NOW + 1_000)
    const one = (id: string, used: number, more = {}) => {
      const times = { expiresAt: later, createdAt: new Date(NOW), updatedAt: new Date(NOW + used) }
      return { id, userId: 'p1', token: id, ...times, ...more }
    }
    await db().write((tx) =>
      tx
        .insert(session)
        .values([
          one('a', 1),
          one('b', 3),
          one('c', 2),
          one('over', 9, { expiresAt: new Date(NOW) }),
          one('theirs', 9, { userId: 'p2' }),
        ]),
    )
    const list = async (offset: number, first?: string) =>
      (
        await signIns.listSignIns(db().read, 'p1', {
          now: NOW,
          offset,
          limit: 2,
          ...(first && { first }),
        })
      ).map(({ id }) => id)
    expect(await list(0)).toEqual(['b', 'c'])
    expect(await list(0, 'a')).toEqual(['a', 'b'])
    expect(await list(2, 'a')).toEqual(['c'])
    expect(await signIns.countSignIns(db().read, 'p1', NOW)).toBe(3)
    const use = { at: NOW + 50, before: NOW + 2 }
    await db().write((tx) => signIns.markSignInUsed(tx, 'a', use))
    await db().write((tx) => signIns.markSignInUsed(tx, 'b', use))
    expect(await list(0)).toEqual(['a', 'b'])
    await db().write((tx) => signIns.markPaired(tx, 'a', NOW))
    const read = await signIns.readSignIns(db().read, ['a', 'over'], NOW)
    expect([...read.values()]).toMatchObject([{ id: 'a', pairedAt: new Date(NOW) }])
    const ended = await db().write((tx) => signIns.endOtherSignIns(tx, 'p1', 'a'))
    expect(ended.map(({ id }) => id).sort()).toEqual(['b', 'c', 'over'])
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
      await signIns.endSignIns(tx, [])
      expect(await signIns.endSignIns(tx, ['s1', 'none'])).toMatchObject([{ personId: 'p1' }])
    })
    expect(await db().read.select({ id: session.id }).from(session)).toEqual([{ id: 's2' }])
  })
})
