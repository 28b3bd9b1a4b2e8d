import { expect, test } from 'bun:test'
import * as store from '../../src/ask/questions/model/snooze-store.ts'
import {
  countOpenQuestions,
  insertQuestion,
  listOpenFacts,
  listOpenQuestions,
} from '../../src/ask/questions/model/store.ts'
import { aQuestion, OPENED_AT } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const NOW = OPENED_AT + 1_000
const ANN = { id: 'ann', workspaceId: 'ws_1' } as const

onBothDatabases('snoozes', (db) => {
  const put = (personId: store.Snooze['personId'], id: string, until: number) =>
    db().write((tx) => store.putSnooze(tx, { personId, questionId: `q_${id}`, until }))
  const ask = (id: string, changes = {}) =>
    db().write((tx) => insertQuestion(tx, aQuestion(id, { agentName: id, ...changes })))
  const idsFor = async (person: store.Snooze['personId'], now: number) => {
    const only = { viewer: person }
    const open = await listOpenQuestions(
      db().read,
      { workspaceId: 'ws_1' },
      now,
      10,
      undefined,
      only,
    )
    const facts = await listOpenFacts(db().read, { workspaceId: 'ws_1' }, now, only)
    expect(await countOpenQuestions(db().read, { workspaceId: 'ws_1' }, now, only)).toBe(
      open.length,
    )
    expect(facts.map(({ agentName }) => `q_${agentName}`).sort()).toEqual(
      open.map(({ id }) => id).sort() as string[],
    )
    return open.map(({ id }) => id)
  }
  const snoozed = (now: number, of: Parameters<typeof store.listSnoozed>[1] = ANN) =>
    store.listSnoozed(db().read, of, now, 10)

  test('a question is out of the list of one person until its time', async () => {
    await ask('1')
    await ask('2')
    await put('ann', '1', NOW + 10)
    expect(await idsFor('ann', NOW)).toEqual(['q_2'])
    expect(await idsFor('bob', NOW)).toEqual(['q_1', 'q_2'])
    expect(await store.snoozedIds(db().read, 'ann', NOW)).toEqual([{ id: 'q_1' }])
    expect(await snoozed(NOW)).toEqual([
      { question: aQuestion('1', { agentName: '1' }), until: NOW + 10 },
    ])
    expect(await snoozed(NOW, { ...ANN, workspaceId: 'ws_2' })).toEqual([])
    expect(await store.findSnooze(db().read, 'ann', 'q_1', NOW)).toBe(NOW + 10)
    expect(await store.findSnooze(db().read, 'bob', 'q_1', NOW)).toBeUndefined()
    expect(await idsFor('ann', NOW + 10)).toEqual(['q_1', 'q_2'])
    expect(await snoozed(NOW + 10)).toEqual([])

    await put('ann', '1', NOW + 30)
    expect(await store.findSnooze(db().read, 'ann', 'q_1', NOW + 20)).toBe(NOW + 30)
    const end = () => db().write((tx) => store.endSnooze(tx, 'ann', 'q_1'))
    expect([await end(), await end()]).toEqual([true, false])
    expect(await idsFor('ann', NOW)).toEqual(['q_1', 'q_2'])
  })

  test('what has ended or is held is not listed, the first to come back is first', async () => {
    await ask('1')
    await ask('2')
    await ask('ended', { status: 'answered' })
    await ask('held', { held: 'test_traffic' })
    for (const [i, id] of ['2', '1', 'ended', 'held'].entries()) await put('ann', id, NOW + 10 + i)
    expect((await snoozed(NOW)).map(({ question }) => question.id)).toEqual(['q_2', 'q_1'])
  })

  test('what is over is deleted once, and what belongs to a question goes with it', async () => {
    await put('ann', '1', NOW)
    await put('ann', '2', NOW)
    await put('bob', '1', NOW + 1)
    expect(await store.hasOverSnoozes(db().read, NOW - 1)).toBe(false)
    expect(await store.hasOverSnoozes(db().read, NOW)).toBe(true)
    expect(await db().write((tx) => store.endOverSnoozes(tx, NOW))).toEqual(['ann'])
    expect(await db().write((tx) => store.endOverSnoozes(tx, NOW))).toEqual([])
    await db().write(async (tx) => {
      await store.deleteSnoozes(tx, ['q_1'])
      await store.deleteSnoozes(tx, [])
    })
    expect(await store.hasOverSnoozes(db().read, NOW + 1)).toBe(false)
  })
})
