import { expect, test } from 'bun:test'
import * as store from '../../src/ask/fail-over/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const ROW: store.Failover = {
  questionId: 'q_1',
  workspaceId: 'ws_1',
  steps: [
    { afterMs: 60_000, tell: ['ben'] },
    { afterMs: 60_000, tell: ['group_1', 'owners'] },
  ],
  told: [],
  waiting: [{ personId: 'dev', at: 500 }],
  stepAt: 100,
  dueAt: 100,
}

onBothDatabases('fail-over', (db) => {
  test('a turn is due at its time, and is taken once', async () => {
    const { read } = db()
    const write = <T>(work: Parameters<ReturnType<typeof db>['write']>[0]) =>
      db().write(work) as Promise<T>
    await write((tx) => store.insertFailover(tx, ROW))
    await write((tx) => store.insertFailover(tx, { ...ROW, questionId: 'q_2', dueAt: 90 }))
    expect(await store.listDueFailovers(read, 89, 9)).toEqual([])
    const due = await store.listDueFailovers(read, 100, 9)
    expect(due.map(({ questionId }) => questionId)).toEqual(['q_2', 'q_1'])

    const rest = { steps: ROW.steps.slice(1), waiting: [], stepAt: 160, dueAt: 160 }
    const next = { ...rest, told: [{ personId: 'ben', at: 100 }] }
    const take = () => write((tx) => store.takeTurn(tx, ROW, next))
    expect([await take(), await take()]).toEqual([true, false])
    expect(await store.findFailover(read, 'ws_1', 'q_1')).toEqual({ ...ROW, ...next })
    expect(await store.findFailover(read, 'ws_2', 'q_1')).toBeUndefined()

    // A claim holds the steps, and not the end of quiet hours.
    await write((tx) => store.delayFailover(tx, 'q_2', 300))
    expect(await store.findFailover(read, 'ws_1', 'q_2')).toMatchObject({ stepAt: 400, dueAt: 400 })
    await write((tx) => store.delayFailover(tx, 'q_2', 300))
    expect(await store.findFailover(read, 'ws_1', 'q_2')).toMatchObject({ stepAt: 700, dueAt: 500 })
    await write((tx) => store.delayFailover(tx, 'q_2', -600))
    expect((await store.listDueFailovers(read, 100, 9)).map((one) => one.questionId)).toEqual([
      'q_2',
    ])

    await write((tx) => store.endFailover(tx, 'q_2'))
    expect(await store.listDueFailovers(read, 120, 9)).toEqual([])
    await write((tx) => store.deleteFailovers(tx, ['q_1', 'n_1']))
    expect(await store.findFailover(read, 'ws_1', 'q_1')).toBeUndefined()
    expect(await store.findFailover(read, 'ws_1', 'q_2')).toMatchObject({ dueAt: null })
  })
})
