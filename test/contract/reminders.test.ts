import { expect, test } from 'bun:test'
import { listSnoozers, putSnooze } from '../../src/ask/questions/model/snooze-store.ts'
import * as store from '../../src/ask/reminders/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const ROW: store.Reminder = {
  questionId: 'q_1',
  workspaceId: 'ws_1',
  everyMs: 60_000,
  sent: 0,
  dueAt: 100,
}

onBothDatabases('reminders', (db) => {
  test('one is due at its time, is planned once and taken once', async () => {
    const { read } = db()
    const insert = (row: store.Reminder) => db().write((tx) => store.insertReminder(tx, row))
    await insert(ROW)
    await insert({ ...ROW, dueAt: 50 })
    await insert({ ...ROW, questionId: 'q_2', dueAt: 90 })
    expect(await store.listDueReminders(read, 89, 9)).toEqual([])
    const due = await store.listDueReminders(read, 100, 9)
    expect(due.map(({ questionId }) => questionId)).toEqual(['q_2', 'q_1'])
    const take = () => db().write((tx) => store.takeReminder(tx, ROW, { sent: 1, dueAt: 160 }))
    expect([await take(), await take()]).toEqual([true, false])
    const last = { ...ROW, sent: 1, dueAt: 160 }
    expect((await store.listDueReminders(read, 160, 9)).at(-1)).toEqual(last)
    await db().write((tx) => store.takeReminder(tx, last, { sent: 3, dueAt: null }))
    await db().write((tx) => store.deleteReminders(tx, ['q_2', 'n_1']))
    expect(await store.listDueReminders(read, 1_000, 9)).toEqual([])
  })

  test('who put a question aside is known until it comes back', async () => {
    const put = (personId: 'ann' | 'bob', until: number) =>
      db().write((tx) => putSnooze(tx, { personId, questionId: 'q_1', until }))
    await put('ann', 100)
    await put('bob', 200)
    expect((await listSnoozers(db().read, 'q_1', 99)).sort()).toEqual(['ann', 'bob'])
    expect(await listSnoozers(db().read, 'q_1', 100)).toEqual(['bob'])
    expect(await listSnoozers(db().read, 'q_2', 0)).toEqual([])
  })
})
