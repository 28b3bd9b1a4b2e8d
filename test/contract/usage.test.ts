import { expect, test } from 'bun:test'
import * as store from '../../src/ask/accounts/model/usage-store.ts'
import * as counts from '../../src/ask/delivery/model/push-count-store.ts'
import { deliveriesBytes, listDeliveries } from '../../src/ask/delivery/model/store.ts'
import * as notifications from '../../src/ask/notifications/model/purge-store.ts'
import { insertNotification, notificationBytes } from '../../src/ask/notifications/model/store.ts'
import * as purge from '../../src/ask/questions/model/purge-store.ts'
import { questionBytes } from '../../src/ask/questions/model/question.ts'
import * as questions from '../../src/ask/questions/model/store.ts'
import { insertDelivery } from '../support/a-delivery.ts'
import { aNotification, aQuestion } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

const HOUR = 3_600_000
const NOW = 1_800_000_000_000

onBothDatabases('the usage of tokens', (db) => {
  const add = (at: number, bytes: number, more: Partial<store.Added> = {}) =>
    db().write((tx) =>
      store.addUsage(tx, {
        ...{ tokenId: 'key_a', workspaceId: 'ws_1', openQuestions: 1, bytesAnHour: 20_000_000 },
        ...{ at, bytes, ...more },
      }),
    )
  const of = async (id: 'key_a' | 'key_b' = 'key_a') =>
    (await store.readUsage(db().read, [id])).get(id)

  test('what is written leaks away at the rate of the limit; what is kept does not', async () => {
    expect(await add(NOW, 1_000)).toMatchObject({ openQuestions: 1, keptBytes: 1_000 })
    expect(await add(NOW + HOUR / 40_000, 300)).toMatchObject({
      ...{ openQuestions: 2, keptBytes: 1_300, recentBytes: 800, recentAt: NOW + HOUR / 40_000 },
    })
    const late = await add(NOW + 1_000 * HOUR, 7, { bytesAnHour: 20_000_000_000 })
    expect(late).toMatchObject({ recentBytes: 7, keptBytes: 1_307 })
    // Of two processes one may be late.
    expect(await add(NOW, 3)).toMatchObject({ recentBytes: 10, recentAt: NOW + 1_000 * HOUR })
  })

  test('what ended or went is counted less, never below nothing; a count can be put right', async () => {
    await add(NOW, 1_000)
    await add(NOW, 5, { tokenId: 'key_b' })
    await db().write((tx) => store.freeUsage(tx, 'key_a', { openQuestions: 1 }))
    expect(await of()).toMatchObject({ openQuestions: 0, keptBytes: 1_000, recentBytes: 1_000 })
    await db().write((tx) => store.freeUsage(tx, 'key_a', { openQuestions: 1, bytes: 2_000 }))
    expect(await of()).toMatchObject({ openQuestions: 0, keptBytes: 0, recentBytes: 1_000 })
    const is = { openQuestions: 3, keptBytes: 9 }
    const was = { tokenId: 'key_a', openQuestions: 0, keptBytes: 0 } as const
    expect(await db().write((tx) => store.correctUsage(tx, was, is))).toBe(true)
    expect(await db().write((tx) => store.correctUsage(tx, was, is))).toBe(false)
    expect(await of()).toMatchObject({ ...is, recentBytes: 1_000 })
    expect(await of('key_b')).toMatchObject({ keptBytes: 5 })
    expect((await store.listUsage(db().read)).map(({ tokenId }) => tokenId).sort()).toEqual([
      'key_a',
      'key_b',
    ])
    expect(await store.readUsage(db().read, [])).toEqual(new Map())
  })

  test('the rows of a token are counted from the tables themselves', async () => {
    const about = { workspaceId: 'ws_1', tokenId: 'key_a' } as const
    const [open, ended] = [aQuestion('1', about), aQuestion('2', { ...about, status: 'answered' })]
    const notification = aNotification('1', about)
    await db().write(async (tx) => {
      await questions.insertQuestion(tx, open, 70)
      await questions.insertQuestion(tx, ended)
      await insertNotification(tx, notification, 40)
      await insertNotification(tx, aNotification('2', { ...about, tokenId: 'key_b' }))
    })
    const bytes = 70 + questionBytes(ended)
    expect(await purge.countTokenQuestions(db().read, about)).toEqual({ open: 1, bytes })
    expect(await notifications.countTokenNotifications(db().read, 'key_a')).toBe(40)
    expect(await notifications.countTokenNotifications(db().read, 'key_c')).toBe(0)
    expect(notificationBytes({ ...notification, body: `${notification.body}é` })).toBe(
      notificationBytes(notification) + 2,
    )
    const page = { after: undefined, limit: 9 }
    expect(await purge.listTokenQuestions(db().read, 'key_a', page)).toEqual([ended.id])
    expect(await notifications.listTokenNotifications(db().read, 'key_a', page)).toEqual([
      { id: notification.id, questionId: notification.questionId ?? null, bytes: 40 },
    ])
    const gone = await db().write((tx) => notifications.deleteNotifications(tx, [notification.id]))
    expect(gone).toEqual([
      { id: notification.id, workspaceId: notification.workspaceId, tokenId: 'key_a', bytes: 40 },
    ])
  })

  test('pushes are counted from the first of a minute on, by token and person', async () => {
    const push = (at: number, question = false, recipient = 'ann') =>
      db().write((tx) => counts.countPush(tx, { tokenId: 'key_a', recipient, at, question }))
    expect(await push(NOW)).toMatchObject({ pushes: 1, questions: 0, windowAt: NOW })
    const second = await push(NOW + counts.COUNT_WINDOW_MS - 1, true)
    expect(second).toMatchObject({ pushes: 2, questions: 1, windowAt: NOW, more: 0 })
    expect(await push(NOW + 5, false, 'bob')).toMatchObject({ pushes: 1, windowAt: NOW + 5 })
    const totals = { ...second, more: 2, moreQuestions: 1, moreSubject: 'q_1' } as const
    await db().write((tx) => counts.keepMore(tx, totals))
    expect(await push(NOW + 10)).toMatchObject({ ...totals, pushes: 3 })
    const anew = await push(NOW + counts.COUNT_WINDOW_MS)
    expect(anew).toMatchObject({ pushes: 1, questions: 0, more: 0, moreQuestions: 0 })
    expect(anew).toMatchObject({ moreSubject: null, windowAt: NOW + counts.COUNT_WINDOW_MS })
    await db().write((tx) => counts.forgetPushCounts(tx, NOW + counts.COUNT_WINDOW_MS + 7))
    expect(await push(NOW + counts.COUNT_WINDOW_MS + 8)).toMatchObject({ pushes: 2 })
    expect(await push(NOW + 20, false, 'bob')).toMatchObject({ pushes: 1, windowAt: NOW + 20 })
  })

  test('what devices will be told is changed where it has not left', async () => {
    const [waiting, delivery, other] = [
      await insertDelivery(db(), { id: 'dl_1', subscriberId: 'sub_1' }),
      await insertDelivery(db(), { id: 'dl_2', subscriberId: 'sub_2', state: 'accepted' }),
      await insertDelivery(db(), { id: 'dl_3', subscriberId: 'sub_3' }),
    ]
    const message = { ...waiting.message, title: '7 more notifications from Agent' }
    const devices = ['sub_1', 'sub_2'] as const
    await db().write((tx) => counts.retellDeliveries(tx, waiting.subjectId, devices, message))
    const rows = await listDeliveries(db().read, 'ws_1', waiting.subjectId)
    expect(rows.map((row) => row.message)).toEqual([message, delivery.message, other.message])
    expect(deliveriesBytes(rows.slice(0, 2))).toBe(2 * deliveriesBytes(rows.slice(0, 1)))
    expect(deliveriesBytes([])).toBe(0)
  })
})
