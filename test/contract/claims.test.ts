import { expect, test } from 'bun:test'
import * as store from '../../src/ask/claims/model/store.ts'
import {
  putOwnQuietHours,
  readOwnQuietHours,
} from '../../src/ask/subscribers/model/own-quiet-store.ts'
import { onBothDatabases } from './both-databases.ts'

const CLAIM = { questionId: 'q_1', workspaceId: 'ws_1', personId: 'ana', until: 500 } as const

onBothDatabases('claims and own quiet hours', (db) => {
  test('a person takes a question once, until it is over', async () => {
    const { read } = db()
    const take = (claim: Partial<store.Claim> = {}) =>
      db().write((tx) => store.insertClaim(tx, { ...CLAIM, ...claim }))
    const both = await Promise.all([take(), take()])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await store.findClaim(read, 'q_1', 499)).toEqual(CLAIM)
    expect(await store.findClaim(read, 'q_1', 500)).toBeUndefined()
    expect(await store.hasClaimed(read, CLAIM)).toBe(true)
    expect(await store.hasClaimed(read, { ...CLAIM, personId: 'bob' })).toBe(false)
    await take({ questionId: 'q_2', until: 900 })
    const held = async (now: number) =>
      (await store.listClaimsOf(read, 'ana', now)).map(({ questionId }) => questionId)
    expect([await held(100), await held(600)]).toEqual([['q_1', 'q_2'], ['q_2']])
    const end = () => db().write((tx) => store.endClaim(tx, CLAIM, 300))
    expect([await end(), await end()]).toEqual([true, false])
    expect(await store.findClaim(read, 'q_1', 301)).toBeUndefined()
    expect(await take()).toBe(false)
    await db().write((tx) => store.deleteClaims(tx, ['q_1']))
    expect(await take()).toBe(true)
    await db().write((tx) => store.deleteClaimsOf(tx, CLAIM))
    expect(await held(100)).toEqual([])
  })

  test('own quiet hours are of a person and a workspace, and can be cleared', async () => {
    const hours = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
    const ana = { workspaceId: 'ws_1', personId: 'ana' } as const
    const put = (
      of: { workspaceId: 'ws_1' | 'ws_2'; personId: string },
      value: typeof hours | null,
    ) => db().write((tx) => putOwnQuietHours(tx, of, value))
    await put(ana, hours)
    await put(ana, { ...hours, to: '08:00' })
    await put({ ...ana, workspaceId: 'ws_2' }, hours)
    await put({ ...ana, personId: 'bob' }, hours)
    await put({ ...ana, personId: 'bob' }, null)
    expect([...(await readOwnQuietHours(db().read, 'ws_1'))]).toEqual([
      ['ana', { ...hours, to: '08:00' }],
    ])
  })
})
