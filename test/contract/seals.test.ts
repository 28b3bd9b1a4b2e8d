import { expect, test } from 'bun:test'
import { auditRecord } from '../../src/ask/audit/model/audit.ts'
import type { StoredSeal } from '../../src/ask/audit/model/seal.ts'
import * as store from '../../src/ask/audit/model/seal-store.ts'
import { recordAudit } from '../../src/ask/audit/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const row = (n: number, at = n) =>
  auditRecord({ id: `au_${n}`, at }, { workspaceId: 'ws_1', kind: 'token.created' })
const link = (seq: number, more: Partial<StoredSeal> = {}): StoredSeal => ({
  seq,
  body: `{"seq":${seq}}`,
  signature: 's',
  latestAt: seq * 10,
  purgedBefore: null,
  ...more,
})

onBothDatabases('seals', (db) => {
  const put = (n: number, at?: number) => db().write((tx) => recordAudit(tx, row(n, at)))
  const seal = (one: StoredSeal, ids: Array<`au_${string}`> = []) =>
    db().write((tx) => store.addSeal(tx, one, ids))
  const idsOf = (rows: Array<{ id: string }>) => rows.map(({ id }) => id)

  test('rows are unsealed, the oldest first, until a link names them', async () => {
    for (const n of [3, 1, 2]) await put(n)
    expect(idsOf(await store.listUnsealed(db().read, 2))).toEqual(['au_1', 'au_2'])
    expect(await store.countUnsealed(db().read)).toBe(3)
    await seal(link(1), ['au_1', 'au_3'])
    expect(idsOf(await store.listUnsealed(db().read, 9))).toEqual(['au_2'])
    expect(await store.countUnsealed(db().read)).toBe(1)
    expect(await store.listSealedBy(db().read, 1)).toEqual([
      { ...row(1), seal: 1 },
      { ...row(3), seal: 1 },
    ])
    expect(await store.listSealedBy(db().read, 2)).toEqual([])
    expect(await store.rowExists(db().read, 'au_2')).toBe(true)
    expect(await store.rowExists(db().read, 'au_9')).toBe(false)
  })

  test('links have an order, and one of each number', async () => {
    expect(await store.lastSeal(db().read)).toBeUndefined()
    expect(await store.lastCheckpoint(db().read)).toBeUndefined()
    const checkpoint = link(2, { purgedBefore: 15, latestAt: -1 })
    for (const one of [link(1), checkpoint, link(3)]) await seal(one)
    expect(await store.lastSeal(db().read)).toEqual(link(3))
    expect(await store.lastCheckpoint(db().read)).toEqual(checkpoint)
    expect(await store.listSeals(db().read, 1, 1)).toEqual([checkpoint])
    expect(await store.firstSealSince(db().read, 11)).toBe(3)
    expect(await store.firstSealSince(db().read, 31)).toBeUndefined()
    await expect(seal(link(3))).rejects.toThrow()
    await db().write((tx) => store.deleteSealsBefore(tx, 3))
    expect(await store.listSeals(db().read, 0, 9)).toEqual([link(3)])
  })

  test('links and rows of a copy are put as they are', async () => {
    const copied = { ...row(1), seal: 1 }
    await db().write((tx) => store.putCopied(tx, [link(1)], [copied]))
    await db().write((tx) => store.putCopied(tx, [], []))
    expect(await store.listSeals(db().read, 0, 9)).toEqual([link(1)])
    expect(await store.listSealedBy(db().read, 1)).toEqual([copied])
  })

  test('a stray row names a link that there is not', async () => {
    for (const n of [1, 2, 3]) await put(n, n * 10)
    await seal(link(5), ['au_3'])
    const find = (first: number, last: number, before: number) =>
      store.findStray(db().read, { first, last, before })
    expect(await find(5, 5, -1)).toBeUndefined()
    expect(await find(1, 4, -1)).toMatchObject({ id: 'au_3', seal: 5 })
    expect(await find(6, 6, -1)).toMatchObject({ id: 'au_3' })
    expect(await find(6, 6, 31)).toBeUndefined()
  })
})
