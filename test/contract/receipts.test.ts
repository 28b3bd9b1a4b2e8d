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

onBothDatabases('receipts', (db) => {
  test('a question is decided once, and its receipt goes with it', async () => {
    await db().write((tx) => store.insertReceipt(tx, RECEIPT))
    await db().write((tx) => store.insertReceipt(tx, { ...RECEIPT, payload: '{}' }))
    expect(await store.findReceipt(db().read, 'q_1')).toEqual(RECEIPT)
    expect(await store.findReceipt(db().read, 'q_2')).toBeUndefined()
    await db().write((tx) => store.deleteReceipts(tx, []))
    await db().write((tx) => store.deleteReceipts(tx, ['q_1']))
    expect(await store.findReceipt(db().read, 'q_1')).toBeUndefined()
  })
})
