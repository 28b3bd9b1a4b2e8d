import { expect, test } from 'bun:test'
import { type Display, recordDisplay } from '../../src/ask/delivery/model/seen-store.ts'
import { insertDeliveries, listDeliveries } from '../../src/ask/delivery/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const row = (id: string, kind: 'question' | 'outcome', subscriberId = 'sub_1') =>
  ({
    ...{ id: `dl_${id}`, workspaceId: 'ws_1', subjectId: 'q_1', subscriberId, kind: 'browser' },
    message: { kind, title: '', body: '', tag: 'q_1', url: '/d/q_1', urgency: 'high' },
    ...{ state: 'accepted', attempts: 1, nextAt: 1, expiresAt: 9, claimedBy: null },
    ...{ claimedUntil: 0, createdAt: 1, endedAt: 2, lastStatus: 201, lastError: null },
    shownAt: null,
    openedAt: null,
    seal: null,
    messageRef: null,
  }) as Parameters<typeof insertDeliveries>[1][number]

onBothDatabases('what devices say they showed', (db) => {
  const mark = (seen: Partial<Display>) => {
    const about = { subscriberId: 'sub_1', subjectId: 'q_1', kind: 'question' } as const
    return db().write((tx) => recordDisplay(tx, { ...about, what: 'shown', at: 5, ...seen }))
  }

  test('the first report of each message counts, and others find nothing', async () => {
    const rows = [row('1', 'question'), row('2', 'outcome'), row('3', 'question', 'sub_2')]
    await db().write((tx) => insertDeliveries(tx, rows))
    expect(await mark({})).toBe('new')
    expect(await mark({ at: 6 })).toBe('known')
    expect(await mark({ at: 7, what: 'opened' })).toBe('new')
    expect(await mark({ at: 8, kind: 'outcome' })).toBe('new')
    expect(await mark({ kind: undefined })).toBe('unknown')
    expect(await mark({ subjectId: 'q_2' })).toBe('unknown')
    const read = await listDeliveries(db().read, 'ws_1', 'q_1')
    expect(read.map(({ shownAt, openedAt }) => [shownAt, openedAt])).toEqual([
      [5, 7],
      [8, null],
      [null, null],
    ])
  })
})
