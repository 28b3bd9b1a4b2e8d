import { expect, test } from 'bun:test'
import { putProtect, readProtect } from '../../src/ask/policy/model/store.ts'
import * as store from '../../src/ask/protect/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const PROPOSAL: store.ProposedChange = {
  ...{ questionId: 'q_1', workspaceId: 'ws_1', basis: 'b', toldAt: null },
  change: { workspaceId: 'ws_1', by: { id: 'ana' }, kind: 'rule.remove', input: { id: 'rule_1' } },
}

onBothDatabases('proposed changes', (db) => {
  test('a proposal is listed in its workspace until it is taken, once', async () => {
    await db().write(async (tx) => {
      await store.addProposal(tx, PROPOSAL)
      await store.addProposal(tx, { ...PROPOSAL, questionId: 'q_2', workspaceId: 'ws_2' })
      await store.addProposal(tx, { ...PROPOSAL, questionId: 'q_3', change: null })
    })
    expect(await store.listProposals(db().read, 'ws_1')).toEqual([PROPOSAL])
    const take = () => db().write((tx) => store.takeProposal(tx, 'q_1'))
    expect([await take(), await take()]).toEqual([PROPOSAL, undefined])
    expect(await store.listProposals(db().read, 'ws_1')).toEqual([])
  })

  test('of two processes one tells people', async () => {
    await db().write((tx) => store.addProposal(tx, PROPOSAL))
    expect(await store.listUntold(db().read, 9)).toEqual([PROPOSAL])
    const mark = () => db().write((tx) => store.markTold(tx, 'q_1', 5))
    expect([await mark(), await mark()]).toEqual([true, false])
    expect(await store.listUntold(db().read, 9)).toEqual([])
  })

  test('who protects who may decide is kept by workspace, and taken away', async () => {
    const protect = { from: ['group_1'], need: 2 }
    await db().write((tx) => putProtect(tx, 'ws_1', protect, 1))
    expect(await readProtect(db().read, 'ws_1')).toEqual(protect)
    expect(await readProtect(db().read, 'ws_2')).toBeUndefined()
    await db().write((tx) => putProtect(tx, 'ws_1', null, 2))
    expect(await readProtect(db().read, 'ws_1')).toBeUndefined()
  })
})
