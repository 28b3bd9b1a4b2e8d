import { expect, test } from 'bun:test'
import * as details from '../../src/ask/questions/model/detail-store.ts'
import { listEnded } from '../../src/ask/questions/model/ended-store.ts'
import { findNewestOf, hasAnswered } from '../../src/ask/questions/model/first-answer-store.ts'
import * as store from '../../src/ask/questions/model/store.ts'
import type { QuestionId } from '../../src/ask/wire/ids.ts'
import { aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('questions of a machine or a session', (db) => {
  const insert = (...args: Parameters<typeof aQuestion>) =>
    db().write((tx) => store.insertQuestion(tx, aQuestion(...args)))
  const HERE = { workspaceId: 'ws_1', id: 'q_here' } as const
  const find = (id: QuestionId) => store.findQuestion(db().read, 'ws_1', id)

  test('questions from one machine are found among several, with their details', async () => {
    await insert('here', { machineId: 'm' })
    await insert('there', { machineId: 'other' })
    await insert('bare')
    const ids: QuestionId[] = ['q_here', 'q_there', 'q_bare', 'q_none']
    const of = { workspaceId: 'ws_1', machineId: 'm', ids } as const
    expect(await store.listAskedFrom(db().read, of)).toEqual([
      aQuestion('here', { machineId: 'm' }),
    ])
    expect(await store.listAskedFrom(db().read, { ...of, workspaceId: 'ws_2' })).toEqual([])
    await db().write((tx) => details.addDetail(tx, HERE, { context: 'more' }))
    await db().write((tx) => details.addDetail(tx, HERE, { collapsed: true }))
    await db().write((tx) =>
      details.addDetail(tx, { ...HERE, workspaceId: 'ws_2' }, { context: 'x' }),
    )
    expect((await find('q_here'))?.detail).toEqual({ context: 'more', collapsed: true })
    expect(await find('q_there')).toEqual(aQuestion('there', { machineId: 'other' }))
    const detail = await db().write(async (tx) => {
      await details.lockDetail(tx, HERE.id)
      return await details.detailWith(tx, HERE, { context: 'again' })
    })
    expect(detail).toEqual({ context: 'again', collapsed: true })
    expect((await find('q_here'))?.detail).toEqual({ context: 'more', collapsed: true })
  })

  test('those of a session are the newest first, without test traffic', async () => {
    await insert('a', { sessionId: 's' })
    await insert('b', { sessionId: 's', machineId: 'm' })
    await insert('c', { sessionId: 's', test: true })
    await insert('d', { sessionId: 'other' })
    const list = (limit: number) =>
      store.listSessionQuestions(db().read, { workspaceId: 'ws_1' }, 's', { limit })
    expect((await list(9)).map(({ id }) => id)).toEqual(['q_b', 'q_a'])
    expect((await list(1)).map(({ id }) => id)).toEqual(['q_b'])
    expect(
      await store.listSessionQuestions(db().read, { workspaceId: 'ws_2' }, 's', { limit: 9 }),
    ).toEqual([])
  })

  test('a person has answered in a workspace once a question has their answer', async () => {
    await insert('a', { status: 'answered', answeredBy: 'ann' })
    await insert('b')
    expect(await hasAnswered(db().read, 'ws_1', 'ann')).toBe(true)
    expect(await hasAnswered(db().read, 'ws_1', 'ben')).toBe(false)
    expect(await hasAnswered(db().read, 'ws_2', 'ann')).toBe(false)
  })

  test('the newest question of a token is found, whether it is open or has ended', async () => {
    const newest = async () => (await findNewestOf(db().read, 'key_1'))?.id
    await insert('z', { tokenId: 'key_2' })
    expect(await newest()).toBeUndefined()
    await insert('b', { status: 'answered' })
    await insert('a', { status: 'expired' })
    expect(await newest()).toBe('q_b')
    await insert('d')
    await insert('c')
    expect(await newest()).toBe('q_d')
    await insert('e', { status: 'answered' })
    expect(await newest()).toBe('q_e')
  })

  test('of those that calls wait for, the ones that have ended or are gone are told', async () => {
    await insert('a')
    await insert('b', { status: 'answered' })
    await insert('c', { workspaceId: 'ws_2', status: 'expired' })
    const ids: QuestionId[] = ['q_a', 'q_b', 'q_c', 'q_none']
    const many = Array.from({ length: 1_200 }, (_, n): QuestionId => `q_x${n}`)
    expect(await listEnded(db().read, ids)).toEqual(['q_b', 'q_c', 'q_none'])
    expect((await listEnded(db().read, [...many, 'q_a', ...many])).length).toBe(2_400)
    expect(await listEnded(db().read, [])).toEqual([])
  })
})
