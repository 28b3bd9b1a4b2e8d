import { expect, test } from 'bun:test'
import * as store from '../../src/ask/policy-file/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const TOKEN: store.PolicyToken = {
  ...{ id: 'ptk_1', workspaceId: 'ws_1', name: 'ci', hash: 'h1', tail: 'abcd', may: 'read' },
  ...{ createdAt: 1, createdBy: 'ana', lastUsedAt: null },
}

onBothDatabases('tokens for the policy file', (db) => {
  test('a token is found by its hash, used, and revoked in its own workspace alone', async () => {
    const other = { ...TOKEN, id: 'ptk_2', workspaceId: 'ws_2', hash: 'h2', may: 'write' } as const
    await db().write(async (tx) => {
      await store.addPolicyToken(tx, TOKEN)
      await store.addPolicyToken(tx, other)
    })
    expect(await store.listPolicyTokens(db().read, 'ws_1')).toEqual([TOKEN])
    expect(await store.findPolicyToken(db().read, 'h2')).toEqual(other)
    expect(await store.findPolicyToken(db().read, 'h3')).toBeUndefined()

    const use = (at: number) =>
      db().write((tx) => store.markPolicyTokenUsed(tx, 'ptk_1', { at, since: at - 10 }))
    await use(100)
    await use(105)
    expect((await store.findPolicyToken(db().read, 'h1'))?.lastUsedAt).toBe(100)
    await use(111)
    expect((await store.findPolicyToken(db().read, 'h1'))?.lastUsedAt).toBe(111)

    const drop = (ws: 'ws_1' | 'ws_2') => db().write((tx) => store.dropPolicyToken(tx, ws, 'ptk_1'))
    expect(await drop('ws_2')).toBeUndefined()
    expect((await drop('ws_1'))?.name).toBe('ci')
    expect(await store.listPolicyTokens(db().read, 'ws_1')).toEqual([])
  })
})
