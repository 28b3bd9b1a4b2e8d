import { expect, test } from 'bun:test'
import { insertPerson } from '../../src/ask/accounts/model/person-store.ts'
import { hasUndo, setUndo } from '../../src/ask/accounts/model/undo-store.ts'
import { listDeliveries, putOffDeliveries } from '../../src/ask/delivery/model/store.ts'
import * as store from '../../src/ask/questions/model/held-answer-store.ts'
import {
  countOpenQuestions,
  findQuestion,
  insertQuestion,
  listOpenFacts,
  listOpenQuestions,
  listOverdue,
  moveQuestion,
} from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { insertDelivery } from '../support/a-delivery.ts'
import { aQuestion, OPENED_AT } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = OPENED_AT + 1_000
const UNTIL = NOW + 5_000
const ANN = { id: 'ann', workspaceId: 'ws_1' } as const

function answerTo(id: string, more: Partial<store.HeldAnswer> = {}): store.HeldAnswer {
  const ending = { value: 'yes', note: 'go' }
  const of = { questionId: `q_${id}` as QuestionId, workspaceId: 'ws_1' as const }
  return { ...of, personId: 'ann', ending, edited: undefined, at: NOW, ...more }
}

onBothDatabases('held answers', (db) => {
  const ask = (id: string, changes = {}) =>
    db().write((tx) => insertQuestion(tx, aQuestion(id, changes)))
  const hold = (id: string, more: Partial<store.HeldAnswer> = {}, until = UNTIL) =>
    db().write((tx) => store.holdAnswer(tx, answerTo(id, more), until))
  const take = (id: string, by?: store.HeldAnswer['personId']) =>
    db().write((tx) => store.takeHeldAnswer(tx, answerTo(id), by))
  const due = async (now: number) =>
    (await store.listDueAnswers(db().read, now, 10)).map(({ questionId }) => questionId as string)
  const move = (name: Parameters<typeof moveQuestion>[1], at = NOW, id = 'q_1' as QuestionId) =>
    db().write((tx) => moveQuestion(tx, name, 'ws_1', id, at))

  test('an answer is held once, only to an open question, and is found when due', async () => {
    await ask('1')
    await ask('2')
    await ask('ended', { status: 'answered' })
    expect(await hold('1')).toEqual(aQuestion('1', { answerHeldUntil: UNTIL }))
    expect(await hold('1', { personId: 'bob' })).toBeUndefined()
    expect(await hold('ended')).toBeUndefined()
    expect(await hold('none')).toBeUndefined()
    expect(await hold('2', { workspaceId: 'ws_2' })).toBeUndefined()
    expect(await hold('2', { at: aQuestion('2').expiresAt })).toBeUndefined()
    await hold('2', { ending: { value: 'no' } }, UNTIL - 1)
    expect(await due(UNTIL - 2)).toEqual([])
    expect(await due(UNTIL)).toEqual(['q_2', 'q_1'])
    // The clock was set back.
    expect(await due(NOW - 3_600_000)).toEqual(['q_2', 'q_1'])
    const ids = ['q_1', 'q_2', 'q_3'] as const
    const all = await store.listHeldAnswers(db().read, 'ws_1', ids)
    expect(all.map(({ ending }) => ending.value).sort()).toEqual(['no', 'yes'])
    expect(await store.listHeldAnswers(db().read, 'ws_2', ids)).toEqual([])
    expect(await store.listHeldAnswers(db().read, 'ws_1', [])).toEqual([])
    expect(await store.listHeldBy(db().read, 'ann')).toHaveLength(2)
    expect(await store.listHeldBy(db().read, 'bob')).toEqual([])
  })

  test('it is taken once, by its person or by nobody', async () => {
    await ask('1')
    await hold('1')
    expect(await take('1', 'bob')).toBeUndefined()
    await db().write((tx) => store.lockHeldAnswer(tx, 'q_1'))
    const both = await Promise.all([take('1', 'ann'), take('1')])
    expect(both.filter(Boolean)).toEqual([answerTo('1')])
    await db().write((tx) => store.reopenQuestion(tx, answerTo('1')))
    expect(await findQuestion(db().read, 'ws_1', 'q_1')).toEqual(aQuestion('1'))
    expect(await hold('1')).toBeDefined()
  })

  test('while it is held the question is in no list, and ends only in some ways', async () => {
    await ask('1')
    await hold('1')
    const late = aQuestion('1').expiresAt
    expect(await listOpenQuestions(db().read, { workspaceId: 'ws_1' }, NOW, 10)).toEqual([])
    expect(await listOpenFacts(db().read, { workspaceId: 'ws_1' }, NOW)).toEqual([])
    expect(await countOpenQuestions(db().read, { workspaceId: 'ws_1' }, NOW)).toBe(0)
    expect(await listOverdue(db().read, late, 10)).toEqual([])
    expect(await move('answer')).toBeUndefined()
    expect(await move('hand_over')).toBeUndefined()
    expect(await move('expire', late)).toBeUndefined()
    const released = await move('release')
    expect(released).toEqual(aQuestion('1', { status: 'answered', endedAt: NOW }))
    await ask('2')
    expect(await move('release', NOW, 'q_2')).toBeUndefined()
    await hold('2')
    const stopped = await move('stop', NOW, 'q_2')
    expect(stopped).toEqual(aQuestion('2', { status: 'stopped', endedAt: NOW }))
  })

  test('what waits to be sent about it is put off, never sooner', async () => {
    await insertDelivery(db(), { nextAt: NOW })
    await insertDelivery(db(), { id: 'dl_2', nextAt: UNTIL + 1 })
    await insertDelivery(db(), { id: 'dl_3', nextAt: NOW, state: 'accepted' })
    await insertDelivery(db(), { id: 'dl_4', nextAt: NOW, subjectId: 'q_2' })
    await db().write((tx) => putOffDeliveries(tx, 'q_1', UNTIL))
    const all = [
      ...(await listDeliveries(db().read, 'ws_1', 'q_1')),
      ...(await listDeliveries(db().read, 'ws_1', 'q_2')),
    ]
    const times = Object.fromEntries(all.map(({ id, nextAt }) => [id as string, nextAt]))
    expect(times).toEqual({ dl_1: UNTIL, dl_2: UNTIL + 1, dl_3: NOW, dl_4: NOW })
  })

  test('a person switches it off and on', async () => {
    const ann = { ...ANN, name: 'Ann', email: 'ann@example.org', role: 'member' } as const
    await db().write((tx) => insertPerson(tx, ann, NOW))
    expect(await hasUndo(db().read, ANN)).toBe(true)
    const off = () => db().write((tx) => setUndo(tx, ANN, false))
    expect([await off(), await off()]).toEqual([true, false])
    expect(await hasUndo(db().read, ANN)).toBe(false)
    expect(await hasUndo(db().read, { id: 'bob', workspaceId: 'ws_1' })).toBe(false)
    await db().write((tx) => setUndo(tx, ANN, true))
    expect(await hasUndo(db().read, ANN)).toBe(true)
  })
})
