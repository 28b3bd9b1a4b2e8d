import { expect, test } from 'bun:test'
import { auditRecord } from '../../src/ask/audit/model/audit.ts'
import type { StoredSeal } from '../../src/ask/audit/model/seal.ts'
import * as store from '../../src/ask/audit/model/seal-store.ts'
import { recordAudit } from '../../src/ask/audit/model/store.ts'
import { deliveryMarks } from '../../src/ask/delivery/model/seal-store.ts'
import { insertNotification, notificationMarks } from '../../src/ask/notifications/model/store.ts'
import { addDetail } from '../../src/ask/questions/model/detail-store.ts'
import { endMarks, lateMarks, openingMarks } from '../../src/ask/questions/model/seal-store.ts'
import {
  insertLateAnswer,
  insertQuestion,
  moveQuestion,
} from '../../src/ask/questions/model/store.ts'
import { forgetQuestions } from '../../src/ask/retention/forget.ts'
import { sealAudit } from '../../src/ask/trail/seal-audit.ts'
import { verifyAudit } from '../../src/ask/trail/verify-audit.ts'
import { loadServerKey } from '../../src/platform/db/server-key.ts'
import { insertDelivery } from '../support/a-delivery.ts'
import { aNotification, aQuestion } from '../support/question.ts'
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

  test('links that seal only what is older than a time', async () => {
    expect(await store.hasSealsBefore(db().read, 100)).toBe(false)
    for (const one of [link(1, { latestAt: -1 }), link(2), link(3)]) await seal(one)
    expect(await store.hasSealsBefore(db().read, 20)).toBe(false)
    expect(await store.hasSealsBefore(db().read, 21)).toBe(true)
    expect(await store.hasSealsBefore(db().read, 99)).toBe(true)
  })

  const questions = async (...ids: string[]) => {
    for (const id of ids) {
      await db().write((tx) => insertQuestion(tx, aQuestion(id, { createdAt: 10 })))
    }
  }

  test('questions are unsealed until a link names them, as asked and as ended', async () => {
    await questions('3', '1', '2')
    const { read } = db()
    expect(idsOf(await openingMarks.listUnsealed(read, 2))).toEqual(['q_1', 'q_2'])
    expect(await endMarks.listUnsealed(read, 9)).toEqual([])
    await db().write((tx) => moveQuestion(tx, 'stop', 'ws_1', 'q_2', 20))
    expect(await endMarks.listUnsealed(read, 9)).toMatchObject([{ id: 'q_2', status: 'stopped' }])
    expect([await openingMarks.countUnsealed(read), await endMarks.countUnsealed(read)]).toEqual([
      3, 1,
    ])
    await db().write((tx) => openingMarks.mark(tx, ['q_1', 'q_2'], 5))
    await db().write((tx) => endMarks.mark(tx, ['q_2'], 6))
    expect(idsOf(await openingMarks.listUnsealed(read, 9))).toEqual(['q_3'])
    expect(await endMarks.countUnsealed(read)).toBe(0)
    const marks = await openingMarks.find(read, ['q_2', 'q_3', 'q_9'])
    expect([...marks.keys()].sort()).toEqual(['q_2', 'q_3'])
    expect(marks.get('q_2')).toMatchObject({
      seal: 5,
      row: { id: 'q_2', endedSeal: 6, detail: {} },
    })
    expect(marks.get('q_3')?.seal).toBeNull()
    expect((await endMarks.find(read, ['q_2'])).get('q_2')?.seal).toBe(6)
    expect((await openingMarks.find(read, [])).size).toBe(0)
  })

  test('rows are counted and listed by the links that they name', async () => {
    await questions('1', '2', '3', '4')
    const { read } = db()
    for (const [id, seq] of [
      ['q_1', 5],
      ['q_2', 6],
      ['q_3', 7],
    ] as const) {
      await db().write((tx) => openingMarks.mark(tx, [id], seq))
    }
    const links = { first: 5, last: 6 }
    expect(await openingMarks.countWithin(read, links)).toBe(2)
    expect(await openingMarks.listWithin(read, links, '', 9)).toEqual(['q_1', 'q_2'])
    expect(await openingMarks.listWithin(read, links, 'q_1', 9)).toEqual(['q_2'])
    expect(await openingMarks.listWithin(read, links, '', 1)).toEqual(['q_1'])
    expect(await openingMarks.findOutside(read, links, 99)).toEqual({ id: 'q_3', seal: 7 })
    expect(await openingMarks.findOutside(read, { first: 6, last: 7 }, 10)).toEqual({
      id: 'q_1',
      seal: 5,
    })
    expect(await openingMarks.findOutside(read, { first: 6, last: 7 }, 11)).toBeUndefined()
  })

  test('messages that have ended, late answers and notifications are to be sealed', async () => {
    const { read } = db()
    await insertDelivery(db(), { id: 'dl_1' })
    await insertDelivery(db(), { id: 'dl_2', state: 'accepted', endedAt: 7 })
    expect(idsOf(await deliveryMarks.listUnsealed(read, 9))).toEqual(['dl_2'])
    const late = {
      id: 'late_1',
      workspaceId: 'ws_1',
      questionId: 'q_1',
      value: 'no',
      at: 8,
    } as const
    const nobody = {
      note: null,
      answerSource: null,
      answeredBy: null,
      answeredAs: null,
      answeredOn: null,
    }
    await db().write((tx) => insertLateAnswer(tx, { ...late, ...nobody }))
    expect(idsOf(await lateMarks.listUnsealed(read, 9))).toEqual(['late_1'])
    await db().write((tx) => insertNotification(tx, aNotification('1')))
    expect(await notificationMarks.listUnsealed(read, 9)).toMatchObject([
      { id: 'n_1', context: null },
    ])
    await db().write(async (tx) => {
      await deliveryMarks.mark(tx, ['dl_2'], 1)
      await lateMarks.mark(tx, ['late_1'], 1)
      await notificationMarks.mark(tx, ['n_1'], 1)
    })
    for (const marks of [deliveryMarks, lateMarks, notificationMarks]) {
      expect(await marks.countUnsealed(read)).toBe(0)
      expect(await marks.countWithin(read, { first: 1, last: 1 })).toBe(1)
    }
  })

  const clock = { now: () => 1_000_000, elapsed: () => 0, after: () => () => {} }
  const sealAll = (batch = 100) => sealAudit({ db: db(), clock, holder: 'here', batch })
  const verified = async () => {
    const key = await loadServerKey({ db: db(), clock })
    return await verifyAudit(db().read, key, clock.now())
  }

  test('what is sealed verifies, and what was changed since is named', async () => {
    await questions('1', '2', '3')
    await db().write((tx) => moveQuestion(tx, 'stop', 'ws_1', 'q_2', 20))
    await insertDelivery(db(), { id: 'dl_2', state: 'accepted', endedAt: 7, lastStatus: 201 })
    await db().write((tx) =>
      insertNotification(tx, aNotification('1', { context: { a: 1 } as never })),
    )
    expect(await sealAll(2)).toBe(6)
    expect(await verified()).toMatchObject({ ok: true, facts: 6, unsealed: 0 })
    const one = { workspaceId: 'ws_1', id: 'q_1' } as const
    await db().write((tx) => addDetail(tx, one, { collectedAt: 5 }))
    expect(await verified()).toMatchObject({ ok: true })
    await db().write((tx) => addDetail(tx, one, { action: 'rm -rf /' }))
    expect(await verified()).toMatchObject({ ok: false, row: 'q_1', findings: [{ row: 'q_1' }] })
  })

  test('questions that are removed while others are sealed are not missed', async () => {
    await put(1)
    await sealAll()
    for (let round = 0; round < 5; round++) {
      const ids = [0, 1, 2, 3].map((n) => `q_${round}_${n}` as const)
      await questions(...ids.map((id) => id.slice(2)))
      for (const id of ids) {
        await db().write((tx) => moveQuestion(tx, 'stop', 'ws_1', id, 20))
      }
      const forget = db().write((tx) => forgetQuestions(tx, ids.slice(0, 2), clock.now()))
      expect(await Promise.all([sealAll(1), forget])).toEqual([
        expect.any(Number),
        expect.objectContaining({ length: 2 }),
      ])
    }
    await sealAll()
    expect(await verified()).toMatchObject({ ok: true, facts: 20, unsealed: 0 })
  })
})
