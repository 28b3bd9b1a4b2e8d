import { expect, test } from 'bun:test'
import type { Grant } from '../../src/ask/grants/model/grant.ts'
import * as store from '../../src/ask/grants/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const CALL = {
  workspaceId: 'ws_1',
  tokenId: 'key_1',
  machineId: 'm1',
  sessionId: 's1',
  toolName: 'Bash',
  cwd: '/home/u',
  argumentsHash: 'a'.repeat(64),
} as const

const grant = (id: string, changes: Partial<Grant> = {}): Grant => ({
  ...CALL,
  id: `grant_${id}`,
  length: '15_minutes',
  questionId: 'q_1',
  personId: 'ann',
  agentName: undefined,
  action: 'npm test',
  createdAt: 10,
  expiresAt: 100,
  uses: 0,
  usedAt: undefined,
  endedAt: undefined,
  endedBecause: undefined,
  ...changes,
})

onBothDatabases('grants', (db) => {
  const write = <T>(work: (tx: Parameters<typeof store.spendGrant>[0]) => Promise<T>) =>
    db().write(work)
  const find = (now: number, call: Parameters<typeof store.findGrant>[1][number] = CALL) =>
    store.findGrant(db().read, [call], now)

  test('one is found from when it was given to its end, for exactly its call', async () => {
    await write((tx) => store.insertGrant(tx, grant('1')))
    await write((tx) => store.insertGrant(tx, grant('2', { expiresAt: 50 })))
    expect([await find(9), (await find(10))?.id, (await find(99))?.id, await find(100)]).toEqual([
      undefined,
      'grant_1',
      'grant_1',
      undefined,
    ])
    for (const field of Object.keys(CALL)) {
      expect(await find(20, { ...CALL, [field]: 'ws_other' })).toBeUndefined()
    }
    expect(await store.listGrants(db().read, { workspaceId: 'ws_1' }, 60)).toEqual([grant('1')])
    expect(await store.listGrants(db().read, { workspaceId: 'ws_2' }, 60)).toEqual([])
    expect(await store.readGrant(db().read, 'ws_1', 'grant_1')).toEqual(grant('1'))
    expect(await store.readGrant(db().read, 'ws_2', 'grant_1')).toBeUndefined()
  })

  test('what a grant answered stands until it is taken back, or its person is gone', async () => {
    const answered = (id: string) =>
      store.isTakenBack(db().read, {
        workspaceId: 'ws_1',
        detail: { byGrant: { id, words: 'Ann' } },
      })
    await write((tx) => store.insertGrant(tx, grant('1')))
    await write((tx) => store.insertGrant(tx, grant('2', { personId: 'bob', toolName: 'Read' })))
    expect([await answered('grant_1'), await answered('grant_2')]).toEqual([false, false])
    await write((tx) => store.endGrantsFor(tx, CALL, 20))
    expect([await answered('grant_1'), await answered('grant_2')]).toEqual([true, false])
    const gone = { workspaceId: 'ws_1', personId: 'bob', revoked: [] } as const
    await write((tx) => store.endGrantsOfGone(tx, gone, 20))
    expect(await answered('grant_2')).toBe(true)
    await write((tx) => store.insertGrant(tx, grant('3', { expiresAt: 30 })))
    await write((tx) => store.endOverdueGrants(tx, 40))
    expect([await answered('grant_3'), await answered('grant_none')]).toEqual([false, false])
    const byPerson = { workspaceId: 'ws_1', detail: {} } as const
    expect(await store.isTakenBack(db().read, byPerson)).toBe(false)
  })

  test('uses are counted while it holds, and given back', async () => {
    await write((tx) => store.insertGrant(tx, grant('1')))
    expect(await write((tx) => store.spendGrant(tx, 'grant_1', 20))).toBe(true)
    expect(await find(21)).toMatchObject({ uses: 1, usedAt: 20 })
    await write((tx) => store.spendGrant(tx, 'grant_1', 22))
    await write((tx) => store.unspendGrant(tx, grant('1', { usedAt: 20 })))
    expect(await find(23)).toMatchObject({ uses: 1, usedAt: 20 })
    for (const now of [9, 100]) {
      expect(await write((tx) => store.spendGrant(tx, 'grant_1', now))).toBe(false)
    }
    expect(await write((tx) => store.spendGrant(tx, 'grant_x', 20))).toBe(false)
  })

  test('what is over stays over, and is deleted after its time', async () => {
    await write((tx) => store.insertGrant(tx, grant('1')))
    await write((tx) => store.insertGrant(tx, grant('2', { expiresAt: 50 })))
    expect(await store.hasOverdueGrants(db().read, 49)).toBe(false)
    expect(await store.hasOverdueGrants(db().read, 50)).toBe(true)
    const overdue = await write((tx) => store.endOverdueGrants(tx, 50))
    expect(overdue).toMatchObject([{ id: 'grant_2', endedAt: 50, endedBecause: 'expired' }])
    expect(await write((tx) => store.endGrantsFor(tx, CALL, 60))).toMatchObject([
      { id: 'grant_1', endedAt: 60, endedBecause: 'revoked' },
    ])
    expect(await write((tx) => store.endGrantsFor(tx, CALL, 70))).toEqual([])
    expect(await find(20)).toBeUndefined()
    expect(await write((tx) => store.spendGrant(tx, 'grant_1', 20))).toBe(false)

    await write((tx) => store.insertGrant(tx, grant('3')))
    const other = { ...CALL, sessionId: 's2' }
    expect(await write((tx) => store.endGrantsIn(tx, other, 60, 'session_ended'))).toEqual([])
    const ended = await write((tx) => store.endGrantsIn(tx, CALL, 60, 'session_ended'))
    expect(ended.map(({ id }) => id)).toEqual(['grant_3'])
    expect(await write((tx) => store.purgeGrants(tx, 99))).toBe(1)
    expect(await write((tx) => store.purgeGrants(tx, 100))).toBe(2)
  })
})
