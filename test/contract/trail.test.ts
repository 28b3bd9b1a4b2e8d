import { expect, test } from 'bun:test'
import * as deliveries from '../../src/ask/delivery/model/store.ts'
import { type DeliveryRow, insertDeliveries } from '../../src/ask/delivery/model/store.ts'
import { listEndedDeliveries, traceDeliveries } from '../../src/ask/delivery/model/trail-store.ts'
import * as oldNotifications from '../../src/ask/notifications/model/purge-store.ts'
import { insertNotification } from '../../src/ask/notifications/model/store.ts'
import * as notificationTrail from '../../src/ask/notifications/model/trail-store.ts'
import * as old from '../../src/ask/questions/model/purge-store.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { insertLateAnswer, insertQuestion } from '../../src/ask/questions/model/store.ts'
import * as trail from '../../src/ask/questions/model/trail-store.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'
import { newId } from '../../src/platform/ids.ts'
import { aNotification, aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const ANY = { agent: undefined, sessionId: undefined }
const whole = { from: 0, before: { at: 1_000_000, id: undefined }, limit: 100 }

onBothDatabases('the trail of questions', (db) => {
  async function ask(at: number, more: Partial<Question> = {}) {
    const times = { createdAt: at, expiresAt: at + WINDOW_MS }
    const question = { ...aQuestion('x', { ...times, ...more }), id: newId('q', at) }
    await db().write((tx) => insertQuestion(tx, question))
    return question.id
  }

  test('goes by when they were asked, for an agent, its token or its session', async () => {
    const a = await ask(1_000, { agentName: 'One', sessionId: 's' })
    const b = await ask(2_000, { agentName: 'Two', tokenId: 'key_2' })
    await ask(2_500, { workspaceId: 'ws_2' })
    const list = async (filter: object, range: object = {}) => {
      const wanted = { ...ANY, ...filter }
      const rows = await trail.listOpened(db().read, 'ws_1', wanted, { ...whole, ...range })
      return rows.map(({ id }) => id)
    }
    expect(await list({})).toEqual([b, a])
    expect(await list({ agent: 'One' })).toEqual([a])
    expect(await list({ agent: 'key_2' })).toEqual([b])
    expect(await list({ sessionId: 's' })).toEqual([a])
    expect(await list({}, { from: 2_000 })).toEqual([b])
    expect(await list({}, { before: { at: 2_000, id: undefined } })).toEqual([a])
    expect(await list({}, { before: { at: 2_000, id: b } })).toEqual([a])
    expect([...(await trail.readTrailQuestions(db().read, [a, 'q_none'])).keys()]).toEqual([a])
    expect(await trail.readTrailQuestions(db().read, [])).toEqual(new Map())
  })

  test('goes by when and how they ended, and by whom', async () => {
    const answer = { status: 'answered', answeredBy: 'ann' } as const
    const late = await ask(1_000, { ...answer, endedAt: 9_000 })
    const soon = await ask(2_000, { ...answer, answeredBy: 'bob', endedAt: 3_000 })
    await ask(2_000, { status: 'expired', endedAt: 5_000 })
    await ask(2_000)
    const statuses = ['answered'] as const
    const list = async (by: string | undefined) => {
      const filter = { ...ANY, statuses, by }
      return (await trail.listEnded(db().read, 'ws_1', filter, whole)).map(({ id }) => id)
    }
    expect(await list(undefined)).toEqual([late, soon])
    expect(await list('bob')).toEqual([soon])
    const of = { ...ANY, statuses, by: undefined }
    const about = async (...subjectIds: string[]) =>
      (await trail.listEnded(db().read, 'ws_1', { ...of, subjectIds }, whole)).map(({ id }) => id)
    expect(await about(soon, 'n_1')).toEqual([soon])
    const opened = { ...ANY, subjectIds: [late] }
    expect(await trail.listOpened(db().read, 'ws_1', opened, whole)).toHaveLength(1)
  })

  test('old ones go with their late answers, open ones stay', async () => {
    const ended = await ask(1_000, { status: 'answered', endedAt: 2_000 })
    const notificationId = await ask(1_000, { status: 'notified' })
    const open = await ask(1_000)
    const young = await ask(1_500, { status: 'answered', endedAt: 6_000 })
    // A task, answered early: its agent was told how long the answer can be read.
    const promised = await ask(1_000, { status: 'answered', endedAt: 2_000, expiresAt: 4_000_000 })
    const late = {
      note: null,
      answerSource: null,
      answeredBy: 'ann',
      answeredAs: null,
      answeredOn: null,
      value: 'no',
      at: 3_000,
    }
    for (const questionId of [ended, young]) {
      const answer = { ...late, id: `late_${questionId}`, workspaceId: 'ws_1', questionId } as const
      await db().write((tx) => insertLateAnswer(tx, answer))
    }
    const page = { before: 5_000, promisedUntil: 5_000, after: undefined, limit: 100 }
    const ids = await old.listOldQuestions(db().read, page)
    expect(ids).toEqual([ended, notificationId].sort())
    const next = { ...page, after: ids[0], limit: 1 }
    expect(await old.listOldQuestions(db().read, next)).toEqual(ids.slice(1))
    const remove = [...ids, open]
    const gone = await db().write((tx) => old.deleteQuestions(tx, remove))
    expect(gone.map(({ id }) => id).sort()).toEqual(ids)
    const left = await old.existingQuestions(db().read, [...remove, young])
    expect([...left].sort()).toEqual([open, young].sort())
    const due = await old.listOldQuestions(db().read, { ...page, promisedUntil: 4_000_000 })
    expect(due).toEqual([promised])
    const answers = await trail.listLate(db().read, 'ws_1', { by: 'ann' }, whole)
    expect(answers.map(({ questionId }) => questionId)).toEqual([young])
    const lateAbout = (id: string) =>
      trail.listLate(db().read, 'ws_1', { by: undefined, subjectIds: [id] }, whole)
    expect([await lateAbout(young), await lateAbout(open)]).toMatchObject([[{}], []])
    expect(await db().write((tx) => old.deleteQuestions(tx, []))).toEqual([])
    expect(await old.existingQuestions(db().read, [])).toEqual(new Set())
  })
})

onBothDatabases('the trail of notifications', (db) => {
  test('goes by when they were sent; old ones go', async () => {
    const ids = [newId('n', 1_000), newId('n', 2_000)] as const
    for (const [i, id] of ids.entries()) {
      const agentName = `Agent ${i}`
      const one = { ...aNotification('x', { agentName, questionId: i ? 'q_1' : undefined }), id }
      await db().write((tx) => insertNotification(tx, one))
    }
    const list = async (filter: object) =>
      (await notificationTrail.listSent(db().read, 'ws_1', { ...ANY, ...filter }, whole)).map(
        ({ id }) => id,
      )
    expect(await list({})).toEqual([...ids].reverse())
    expect(await list({ agent: 'Agent 0' })).toEqual([ids[0]])
    expect(
      [...(await notificationTrail.readTrailNotifications(db().read, ids)).keys()].sort(),
    ).toEqual([...ids])
    const page = { before: 3_000, after: ids[0], limit: 9 }
    expect(await oldNotifications.listOldNotifications(db().read, page)).toEqual([
      { id: ids[1], questionId: 'q_1' },
    ])
    await db().write((tx) => oldNotifications.deleteNotifications(tx, [ids[0]]))
    expect(await list({})).toEqual([ids[1]])
  })
})

onBothDatabases('the trail of deliveries', (db) => {
  const row = (id: string, more: Partial<DeliveryRow>): DeliveryRow => ({
    ...{ id: `dl_${id}`, workspaceId: 'ws_1', subjectId: 'q_1', subscriberId: 'sub_1' },
    kind: 'browser',
    message: { kind: 'question', title: 't', body: 'b', tag: 'q_1', url: '/', urgency: 'high' },
    ...{ state: 'accepted', attempts: 1, nextAt: 0, expiresAt: 9, claimedBy: null },
    ...{ claimedUntil: 0, createdAt: 1, endedAt: 5, lastStatus: 201, lastError: null },
    shownAt: null,
    openedAt: null,
    seal: null,
    ...{
      claimedUntil: 0,
      createdAt: 1,
      endedAt: 5,
      lastStatus: 201,
      lastError: null,
      messageRef: null,
    },
    ...more,
  })

  test('goes by when they ended; what is under way is known and stays', async () => {
    const rows = [
      row('a', { endedAt: 5 }),
      row('b', { endedAt: 7, state: 'gone' }),
      row('c', { endedAt: null, state: 'waiting', subjectId: 'q_2' }),
      row('d', { endedAt: 9, workspaceId: 'ws_2', subjectId: 'q_3' }),
    ]
    await db().write((tx) => insertDeliveries(tx, rows))
    const list = async (...states: DeliveryRow['state'][]) =>
      (await listEndedDeliveries(db().read, 'ws_1', { states }, whole)).map(({ id }) => id)
    expect(await list('accepted', 'gone')).toEqual(['dl_b', 'dl_a'])
    expect(await list('accepted')).toEqual(['dl_a'])
    const about = async (subjectId: 'q_1' | 'q_2' | 'q_3', range: object = {}) => {
      const of = { states: ['accepted', 'gone'] as const, subjectIds: [subjectId] }
      const deliveries = await listEndedDeliveries(db().read, 'ws_1', of, { ...whole, ...range })
      return deliveries.map(({ id }) => id)
    }
    expect(await about('q_1')).toEqual(['dl_b', 'dl_a'])
    expect(await about('q_1', { before: { at: 7, id: 'dl_b' } })).toEqual(['dl_a'])
    expect([await about('q_2'), await about('q_3')]).toEqual([[], []])
    expect(await deliveries.underWay(db().read, ['q_1', 'q_2'])).toEqual(new Set(['q_2']))
    expect(await deliveries.underWay(db().read, [])).toEqual(new Set())
    const traced = await traceDeliveries(db().read, ['q_2', 'q_1'])
    expect(traced.map(({ id, state }) => `${id} ${state}`)).toEqual([
      ...['dl_a accepted', 'dl_b gone', 'dl_c waiting'],
    ])
    expect(await traceDeliveries(db().read, [])).toEqual([])
    await db().write((tx) => deliveries.deleteDeliveries(tx, ['q_1']))
    expect(await list('accepted', 'gone')).toEqual([])
  })
})
