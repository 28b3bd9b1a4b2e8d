import { expect, test } from 'bun:test'
import type { Permit } from '../../src/ask/permits/model/permit.ts'
import * as store from '../../src/ask/permits/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = 1_000
const HASH = 'a'.repeat(64)
const PERMIT: Permit = {
  id: 'permit_1',
  workspaceId: 'ws_1',
  questionId: 'q_1',
  tokenId: 'key_1',
  actionHash: HASH,
  createdAt: NOW,
  expiresAt: NOW + 100,
  consumedAt: undefined,
  outcome: undefined,
  detail: undefined,
  outcomeAt: undefined,
}

onBothDatabases('permits', (db) => {
  const put = (changes: Partial<Permit> = {}) =>
    db().write((tx) => store.insertPermit(tx, { ...PERMIT, ...changes }))
  const spend = (changes: Partial<Permit> = {}, now = NOW) =>
    db().write((tx) => store.spendPermit(tx, { ...PERMIT, ...changes }, now))
  const end = (at = NOW + 2) =>
    db().write((tx) =>
      store.setOutcome(tx, 'permit_1', { outcome: 'failed', detail: undefined, at }),
    )
  const findStored = () => store.findPermit(db().read, 'key_1', 'permit_1')

  test('a question has one permit, found by its question and by its token', async () => {
    expect(await put()).toBe(true)
    expect(await put({ id: 'permit_2' })).toBe(false)
    expect(await store.findPermitFor(db().read, 'q_1')).toEqual(PERMIT)
    expect(await findStored()).toEqual(PERMIT)
    expect(await store.findPermit(db().read, 'key_2', 'permit_1')).toBeUndefined()
    expect(await store.findPermitFor(db().read, 'q_2')).toBeUndefined()
    expect(await store.listPermits(db().read, ['q_1', 'q_2'])).toEqual([PERMIT])
    expect(await store.listPermits(db().read, [])).toEqual([])
  })

  test('a permit is used once, for its action, before its end', async () => {
    await put()
    expect(await spend({ actionHash: 'b' })).toBe(false)
    expect(await spend({}, NOW + 100)).toBe(false)
    expect(await end()).toBe(false)
    expect(await spend({}, NOW + 1)).toBe(true)
    expect(await spend({}, NOW + 1)).toBe(false)
    expect(await end()).toBe(true)
    expect(await end()).toBe(false)
    const ended = { consumedAt: NOW + 1, outcome: 'failed', outcomeAt: NOW + 2 } as const
    expect(await findStored()).toEqual({ ...PERMIT, ...ended })
  })

  test('a permit is deleted with its question', async () => {
    await put()
    await put({ id: 'permit_2', questionId: 'q_2' })
    await db().write((tx) => store.deletePermits(tx, ['q_1']))
    await db().write((tx) => store.deletePermits(tx, []))
    expect(await findStored()).toBeUndefined()
    expect(await store.findPermitFor(db().read, 'q_2')).toBeDefined()
  })
})
