import { expect, test } from 'bun:test'
import type { Notification } from '../../src/ask/notifications/model/notification.ts'
import * as store from '../../src/ask/notifications/model/store.ts'
import type { NotificationId } from '../../src/ask/wire/ids.ts'
import { aNotification } from '../support/question.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('notifications', (db) => {
  const insert = (...args: Parameters<typeof aNotification>) =>
    db().write((tx) => store.insertNotification(tx, aNotification(...args)))

  test('a notification is found by its key, keeps its result, and gives the key up', async () => {
    const notification = aNotification('keyed')
    await db().write((tx) => store.insertNotification(tx, notification, undefined, 'k1'))
    const find = () => store.findByKey(db().read, 'ws_1', 'k1')
    const result = { sent: 1 } as Parameters<typeof store.keepResult>[2]
    await db().write((tx) => store.keepResult(tx, notification, result))
    expect((await find())?.result).toEqual(result)
    await db().write((tx) => store.forgetKey(tx, notification))
    expect(await find()).toBeUndefined()
  })

  test('a notification is read back as it was stored, full or bare', async () => {
    const full: Partial<Notification> = {
      agentName: 'Agent - project',
      machineId: 'm',
      sessionId: 's',
      context: { type: 'error', details: ['one', 'two "2"'] },
      url: 'https://example.com/',
      iconUrl: 'https://example.com/i.png',
      imageUrl: 'https://example.com/p.png',
      targeting: { subscriberIds: ['sub_1'] },
      test: true,
      questionId: 'q_1',
    }
    await insert('bare')
    await insert('full', full)
    const find = (id: NotificationId) => store.findNotification(db().read, 'ws_1', id)
    expect(await find('n_bare')).toEqual(aNotification('bare'))
    expect(await find('n_full')).toEqual(aNotification('full', full))
  })

  test('where its link leads is found by its id alone', async () => {
    await insert('led', { url: 'https://example.com/' })
    await insert('bare')
    const find = (id: NotificationId) => store.findNotificationUrl(db().read, id)
    expect(await find('n_led')).toEqual({ id: 'n_led', url: 'https://example.com/' })
    expect(await find('n_bare')).toEqual({ id: 'n_bare', url: undefined })
    expect(await find("n_' or 1=1 --")).toBeUndefined()
  })

  test('those of a session are the newest first, without test traffic', async () => {
    await insert('a', { sessionId: 's' })
    await insert('b', { sessionId: 's', machineId: 'm' })
    await insert('c', { sessionId: 's', test: true })
    await insert('d', { sessionId: 'other' })
    const list = (workspaceId: 'ws_1' | 'ws_2', limit: number) =>
      store.listSessionNotifications(db().read, workspaceId, 's', limit)
    expect((await list('ws_1', 9)).map(({ id }) => id)).toEqual(['n_b', 'n_a'])
    expect((await list('ws_1', 1)).map(({ id }) => id)).toEqual(['n_b'])
    expect(await list('ws_2', 9)).toEqual([])
  })

  test('another workspace does not find it', async () => {
    await insert('a')
    expect(await store.findNotification(db().read, 'ws_2', 'n_a')).toBeUndefined()
  })

  test('a listing pages backwards without gap or repetition, in its own workspace', async () => {
    const ids = ['1', 'A', 'a', 'b', 'z']
    for (const id of ids) await insert(id)
    await insert('foreign', { workspaceId: 'ws_2' })
    const seen: string[] = []
    let before: NotificationId | undefined
    for (;;) {
      const page = await store.listNotifications(
        db().read,
        { workspaceId: 'ws_1' },
        { before, limit: 2 },
      )
      seen.push(...page.map(({ id }) => id))
      before = page.at(-1)?.id
      if (!before) break
    }
    expect(seen).toEqual(ids.map((id) => `n_${id}`).reverse())
  })

  test('a session lists its own notifications alone, with a machine or without', async () => {
    await insert('1', { sessionId: 's', machineId: 'm' })
    await insert('2', { sessionId: 's' })
    await insert('3', { sessionId: 's2', machineId: 'm' })
    await insert('4', { sessionId: 's', machineId: 'm', workspaceId: 'ws_2' })
    const list = async (machineId: string) => {
      const page = { before: undefined, limit: 9, session: { machineId, sessionId: 's' } }
      return (await store.listNotifications(db().read, { workspaceId: 'ws_1' }, page)).map(
        ({ id }) => id,
      )
    }
    expect(await list('m')).toEqual(['n_1'])
    expect(await list('')).toEqual(['n_2'])
  })

  test('the last of those that replace each other is found, in its own workspace', async () => {
    const last = () => store.findLastOfGroup(db().read, 'ws_1', 'n_1')
    expect(await last()).toBeUndefined()
    const group = (groupSize: number) => ({ groupId: 'n_1', groupSize }) as const
    await insert('1', group(1))
    await insert('3', group(3))
    await insert('2', { ...group(2), held: 'quiet_hours' })
    await insert('4', { ...group(4), workspaceId: 'ws_2' })
    await insert('5', { groupId: 'n_5', groupSize: 1 })
    expect(await last()).toBe('n_3')
    const notification = await store.findNotification(db().read, 'ws_1', 'n_2')
    expect(notification).toMatchObject({ ...group(2), held: 'quiet_hours' })
  })
})
