import { expect, test } from 'bun:test'
import * as store from '../../src/ask/receipts/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const RECEIPT: store.StoredReceipt = {
  questionId: 'q_1',
  workspaceId: 'ws_1',
  payload: '{"a":1}',
  signature: 'c2ln',
  createdAt: 1_000,
}

const NOTED: store.Unsigned = {
  questionId: 'q_1',
  workspaceId: 'ws_1',
  deliveryMode: 'push_first',
  waitMs: 45_000,
  decidedAt: 1_000,
}

onBothDatabases('receipts', (db) => {
  test('a decision is noted once, and signed by one of many', async () => {
    await db().write((tx) => store.insertUnsigned(tx, NOTED))
    await db().write((tx) => store.insertUnsigned(tx, { ...NOTED, waitMs: 1 }))
    expect(await store.listUnsigned(db().read, 9)).toEqual([NOTED])
    expect(await store.findUnsigned(db().read, 'q_1')).toEqual(NOTED)
    const take = () => db().write((tx) => store.takeUnsigned(tx, ['q_1', 'q_2']))
    expect((await Promise.all([take(), take(), take()])).flat()).toEqual(['q_1'])
    await db().write((tx) => store.insertUnsigned(tx, NOTED))
    await db().write((tx) => store.deleteReceipts(tx, ['q_1']))
    expect(await store.findUnsigned(db().read, 'q_1')).toBeUndefined()
  })

  test('a question is decided once, and its receipt goes with it', async () => {
    await db().write((tx) => store.insertReceipts(tx, [RECEIPT]))
    await db().write((tx) => store.insertReceipts(tx, [{ ...RECEIPT, payload: '{}' }]))
    expect(await store.findReceipt(db().read, 'q_1')).toEqual(RECEIPT)
    expect(await store.findReceipt(db().read, 'q_2')).toBeUndefined()
    expect(await store.listReceipts(db().read, ['q_1', 'q_2'])).toEqual([RECEIPT])
    expect(await store.listReceipts(db().read, [])).toEqual([])
    await db().write((tx) => store.deleteReceipts(tx, []))
    await db().write((tx) => store.deleteReceipts(tx, ['q_1']))
    expect(await store.findReceipt(db().read, 'q_1')).toBeUndefined()
  })
})
