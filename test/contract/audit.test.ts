import { expect, test } from 'bun:test'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import {
  auditRecord,
  RECORDED_KINDS,
  type RecordedChange,
} from '../../src/ask/audit/model/audit.ts'
import * as store from '../../src/ask/audit/model/store.ts'
import { dropLease, leaveLease, takeLease } from '../../src/platform/db/lease-store.ts'
import { onBothDatabases } from './both-databases.ts'

const all: store.AuditWanted = { kinds: RECORDED_KINDS, personId: undefined }
const whole = { from: 0, before: { at: 10_000, id: undefined }, limit: 100 }

onBothDatabases('the audit trail', (db) => {
  const add = (at: number, id: string, more: object = {}) => {
    const change: RecordedChange = { workspaceId: 'ws_1', kind: 'token.created', ...more }
    const stamp = { at, id: `au_${id}` } as const
    return db().write((tx) => store.recordAudit(tx, auditRecord(stamp, change)))
  }
  const list = async (wanted = all, range: typeof whole | object = whole) => {
    const rows = await store.listAudit(db().read, 'ws_1', wanted, { ...whole, ...range })
    return rows.map(({ id }) => id.slice(3)).join('')
  }

  test('a change keeps the name that its person had then', async () => {
    const person = { id: 'p1', name: 'Ada', email: 'ada@example.com', workspaceId: 'ws_1' } as const
    const change = { workspaceId: 'ws_1', kind: 'token.created', personId: 'p1' } as const
    await db().write(async (tx) => {
      await insertPerson(tx, { ...person, role: 'owner' }, 1)
      await store.recordChange(tx, { at: 1, id: 'au_a' }, change)
      await store.recordChange(tx, { at: 2, id: 'au_b' }, { ...change, personName: 'Countess' })
      await store.recordChange(tx, { at: 3, id: 'au_c' }, { ...change, personId: 'p2' })
    })
    const rows = await store.listAudit(db().read, 'ws_1', all, whole)
    expect(rows.map(({ personName }) => personName)).toEqual([null, 'Countess', 'Ada'])
  })

  test('is read newest first, from one place to another, in its own workspace', async () => {
    for (const [at, id] of [
      [1, 'a'],
      [2, 'd'],
      [2, 'b'],
      [2, 'c'],
      [3, 'e'],
    ] as const) {
      await add(at, id)
    }
    await add(2, 'x', { workspaceId: 'ws_2' })
    expect(await list()).toBe('edcba')
    expect(await list(all, { limit: 2 })).toBe('ed')
    expect(await list(all, { before: { at: 2, id: 'au_c' } })).toBe('ba')
    expect(await list(all, { before: { at: 3, id: undefined } })).toBe('dcba')
    expect(await list(all, { from: 2 })).toBe('edcb')
  })

  test('is narrowed to kinds and to a person, and keeps names as they were', async () => {
    await add(1, 'a', { personId: 'p1', personName: 'Ann', subjectId: 'sub_1', subjectName: 'Old' })
    await add(2, 'b', { kind: 'device.removed', subjectId: 'sub_1', subjectName: 'New' })
    expect(await list({ kinds: ['device.removed'], personId: undefined })).toBe('b')
    expect(await list({ ...all, personId: 'p1' })).toBe('a')
    const names = await store.readSubjectNames(db().read, ['sub_1', 'sub_2'])
    expect([...names]).toEqual([['sub_1', 'New']])
    expect(await store.readSubjectNames(db().read, [])).toEqual(new Map())
    const about = { subjectId: 'sub_1', kind: 'device.removed' } as const
    const records = await store.listAbout(db().read, about, 10)
    expect(records.map(({ subjectName }) => subjectName)).toEqual(['New'])
    const kinds = ['device.removed', 'token.revoked'] as const
    expect(await store.listKindsAbout(db().read, ['sub_1', 'sub_2'], kinds)).toEqual([about])
    expect(await store.listKindsAbout(db().read, [], kinds)).toEqual([])
  })

  test('forgets what is old, in pieces', async () => {
    for (const at of [1, 2, 3, 4]) await add(at, String(at))
    expect(await store.newestInTrail(db().read)).toBe(4)
    const purge = async (limit: number) =>
      (await db().write((tx) => store.purgeAudit(tx, 4, limit))).length
    expect([await purge(2), await purge(2), await purge(2)]).toEqual([2, 1, 0])
    expect(await list()).toBe('4')
  })
})

onBothDatabases('leases', (db) => {
  const take = (holder: string, now: number, name = 'purge') =>
    db().write((tx) => takeLease(tx, { name, holder, now, until: now + 10 }))

  test('one process has a job until it gives it back or its time is over', async () => {
    expect(await take('a', 0)).toBe(true)
    expect(await take('b', 5)).toBe(false)
    expect(await take('b', 5, 'other')).toBe(true)
    expect(await take('a', 8)).toBe(true)
    expect(await take('b', 12)).toBe(false)
    expect(await take('b', 18)).toBe(true)
    await db().write((tx) => dropLease(tx, 'purge', 'a'))
    expect(await take('a', 19)).toBe(false)
    await leaveLease(db(), 'purge', 'b')
    expect(await take('a', 19)).toBe(true)
  })
})
