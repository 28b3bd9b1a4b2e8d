import { expect, test } from 'bun:test'
import { listLastDeliveries } from '../../src/ask/delivery/model/seen-store.ts'
import * as store from '../../src/ask/delivery/model/store.ts'
import { clearAlarms, listAlarms, raiseAlarm } from '../../src/ask/delivery/model/store.ts'
import { type DeliveryId, deliveries } from '../../src/ask/delivery/model/table.ts'
import { saveSubscriber } from '../../src/ask/subscribers/model/store.ts'
import type { Subscriber, SubscriberId } from '../../src/ask/subscribers/model/subscriber.ts'
import {
  claimDue,
  extendClaims,
  lapse,
  releaseClaims,
  settleRow,
} from '../../src/platform/db/outbox-store.ts'
import { aDevice } from '../support/devices.ts'
import { onBothDatabases } from './both-databases.ts'

type Row = store.DeliveryRow

const row = (id: string, changes: Partial<Row> = {}): Row => ({
  id: `dl_${id}`,
  workspaceId: 'ws_1',
  subjectId: 'q_1',
  subscriberId: 'sub_1',
  kind: 'browser',
  message: {
    kind: 'question',
    title: 'Deploy? "now" 🙂',
    body: '',
    tag: 'q_1',
    url: '/d/q_1',
    urgency: 'high',
  },
  state: 'waiting',
  attempts: 0,
  nextAt: 10,
  expiresAt: 1_000,
  claimedBy: null,
  claimedUntil: 0,
  createdAt: 5,
  endedAt: null,
  lastStatus: null,
  lastError: null,
  shownAt: null,
  openedAt: null,
  seal: null,
  messageRef: null,
  ...changes,
})

onBothDatabases('deliveries', (db) => {
  const insert = (...rows: Row[]) => db().write((tx) => store.insertDeliveries(tx, rows))
  const list = () => store.listDeliveries(db().read, 'ws_1', 'q_1')
  const one = async (id: DeliveryId) => (await list()).find((delivery) => delivery.id === id)
  const claim = (by: string, now: number, limit = 10) =>
    db().write((tx) => claimDue(tx, deliveries, { by, now, until: now + 50 }, { limit }))
  const ids = (rows: Row[]) => rows.map(({ id }) => id).sort()

  test('what is still to be sent of a question may be sent for longer', async () => {
    await insert(row('a'), row('b', { state: 'accepted' }), row('c', { subjectId: 'q_2' }))
    const of = { workspaceId: 'ws_1', id: 'q_1' } as const
    await db().write((tx) => store.prolongDeliveries(tx, { ...of, workspaceId: 'ws_2' }, 7_000))
    expect(await one('dl_a')).toEqual(row('a'))
    await db().write((tx) => store.prolongDeliveries(tx, of, 7_000))
    expect(await list()).toEqual([row('a', { expiresAt: 7_000 }), row('b', { state: 'accepted' })])
    const others = await store.listDeliveries(db().read, 'ws_1', 'q_2')
    expect(others).toEqual([row('c', { subjectId: 'q_2' })])
  })

  test('rows are read back as they were stored, in order, in their own workspace', async () => {
    await insert(row('b'), row('a'), row('z', { workspaceId: 'ws_2' }))
    expect(await list()).toEqual([row('a'), row('b')])
    expect(await store.listDeliveries(db().read, 'ws_1', 'q_2')).toEqual([])
  })

  test('phones that are to ring later, and that nobody tried yet, can be held further', async () => {
    const phone = (id: string, changes: Partial<Row> = {}) =>
      row(id, { kind: 'phone', nextAt: 30, ...changes })
    await insert(
      phone('held'),
      phone('due', { nextAt: 20 }),
      phone('tried', { attempts: 1 }),
      phone('claimed', { claimedBy: 'me', claimedUntil: 25 }),
      phone('ended', { state: 'accepted' }),
      phone('elsewhere', { workspaceId: 'ws_2' }),
      row('browser', { nextAt: 30 }),
    )
    const held = await store.listDelayedPhoneDeliveries(db().read, 'ws_1', 20)
    expect(held).toEqual([{ id: 'dl_held', subjectId: 'q_1', nextAt: 30 }])
    await db().write((tx) => store.holdDeliveries(tx, ['dl_held'], 45))
    expect((await one('dl_held'))?.nextAt).toBe(45)
    expect((await one('dl_tried'))?.nextAt).toBe(30)
  })

  test('the devices that were sent something are read with their tags, the oldest first', async () => {
    const device = (id: SubscriberId, changes: Partial<Subscriber> = {}) =>
      aDevice({ id, workspaceId: 'ws_1', endpoint: `https://push.example/${id}`, ...changes })
    await db().write(async (tx) => {
      await saveSubscriber(tx, device('sub_2', { tags: ['b', 'a'] }))
      await saveSubscriber(tx, device('sub_1'))
      await saveSubscriber(tx, device('sub_3'))
    })
    await insert(
      row('a', { subscriberId: 'sub_2' }),
      row('b', { subscriberId: 'sub_1' }),
      row('c', { subscriberId: 'sub_2' }),
      row('d', { subscriberId: 'sub_gone' }),
      row('e', { subscriberId: 'sub_3', subjectId: 'q_2' }),
    )
    const receivers = await store.listReceivers(db().read, 'ws_1', 'q_1')
    expect(receivers.map(({ id, tags }) => [id, tags])).toEqual([
      ['sub_1', []],
      ['sub_2', ['a', 'b']],
    ])
    expect(await store.listReceivers(db().read, 'ws_2', 'q_1')).toEqual([])
  })

  test('a thousand rows are one write', async () => {
    await insert(...Array.from({ length: 1_000 }, (_, i) => row(`${i}`)))
    expect(await list()).toHaveLength(1_000)
  })

  test('a claim takes what is due and free, the longest due first, and no more than asked', async () => {
    await insert(
      row('late', { nextAt: 3 }),
      row('due', { nextAt: 20 }),
      row('soon', { nextAt: 21 }),
      row('taken', { claimedBy: 'other', claimedUntil: 21 }),
      row('freed', { claimedBy: 'dead', claimedUntil: 20 }),
      row('ended', { state: 'accepted' }),
    )
    expect(ids(await claim('me', 20, 2))).toEqual(['dl_freed', 'dl_late'])
    expect(ids(await claim('me', 20))).toEqual(['dl_due'])
    expect(await claim('me', 20)).toEqual([])
    expect(await one('dl_due')).toEqual(
      row('due', { nextAt: 20, claimedBy: 'me', claimedUntil: 70 }),
    )
  })

  test('of many that claim at once, each row goes to one', async () => {
    await insert(...Array.from({ length: 30 }, (_, i) => row(`${i}`)))
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((by) => claim(by, 20, 10)))
    const taken = claims.flatMap(ids)
    expect(taken).toHaveLength(30)
    expect(new Set(taken).size).toBe(30)
  })

  test('the backlog counts what waits, and knows what is due the longest', async () => {
    expect(await store.readDeliveryBacklog(db().read)).toEqual({
      waiting: 0,
      firstDueAt: undefined,
    })
    await insert(row('a', { nextAt: 30 }), row('b', { nextAt: 7 }), row('c', { state: 'gone' }))
    expect(await store.readDeliveryBacklog(db().read)).toEqual({ waiting: 2, firstDueAt: 7 })
  })

  test('a claim is prolonged and let go by its holder alone', async () => {
    await insert(row('a', { claimedBy: 'me', claimedUntil: 30 }), row('b', { claimedBy: 'you' }))
    await db().write((tx) =>
      extendClaims(tx, deliveries, 'me', { ids: ['dl_a', 'dl_b'], until: 99 }),
    )
    expect((await one('dl_a'))?.claimedUntil).toBe(99)
    expect((await one('dl_b'))?.claimedUntil).toBe(0)
    await db().write((tx) => releaseClaims(tx, deliveries, 'me'))
    expect(await list()).toEqual([row('a'), row('b', { claimedBy: 'you' })])
  })

  test('an attempt is counted; a row that waits is free again, an ended one stays ended', async () => {
    await insert(row('a', { claimedBy: 'me', claimedUntil: 30 }), row('b'))
    const attempt = { ids: ['dl_a'] as DeliveryId[], status: 503, error: 'busy', at: 20 }
    await db().write((tx) =>
      store.settleDeliveries(tx, { ...attempt, state: 'waiting', nextAt: 40 }),
    )
    const waits = { attempts: 1, nextAt: 40, lastStatus: 503, lastError: 'busy' }
    expect(await one('dl_a')).toEqual(row('a', waits))
    const accepted = { ...attempt, status: 201, error: undefined, ref: 'C1:1.2', at: 41 }
    await db().write((tx) => store.settleDeliveries(tx, { ...accepted, state: 'accepted' }))
    await db().write((tx) => store.settleDeliveries(tx, { ...attempt, state: 'gone' }))
    const ended = { state: 'accepted', attempts: 2, endedAt: 41, lastStatus: 201 } as const
    expect(await one('dl_a')).toEqual(row('a', { ...ended, nextAt: 40, messageRef: 'C1:1.2' }))
    expect(await one('dl_b')).toEqual(row('b'))
  })

  test('what is not worth sending lapses, unless it has ended', async () => {
    await insert(row('a', { claimedBy: 'me', claimedUntil: 30 }), row('b', { state: 'gone' }))
    await db().write((tx) => store.lapseDeliveries(tx, ['dl_a', 'dl_b'], 20, 'too late'))
    expect(await list()).toEqual([
      row('a', { state: 'lapsed', endedAt: 20, lastError: 'too late' }),
      row('b', { state: 'gone' }),
    ])
  })

  test('however many rows there are, each is claimed, settled and ended, by its holder alone', async () => {
    await insert(...Array.from({ length: 1_100 }, (_, i) => row(`${i}`)))
    const taken = await claim('me', 20, 1_050)
    expect(taken).toHaveLength(1_050)
    const all = (await list()).map(({ id }) => id)
    const failed = { ids: all, state: 'waiting', status: 503, error: 'busy', at: 20, nextAt: 40 }
    await db().write((tx) => settleRow(tx, deliveries, failed, 'me'))
    expect((await list()).filter(({ attempts }) => attempts === 1)).toHaveLength(1_050)
    await claim('you', 40, 10)
    const late = { ids: all, at: 50, reason: 'too late' }
    await db().write((tx) => lapse(tx, deliveries, late, 'you'))
    expect((await list()).filter(({ state }) => state === 'lapsed')).toHaveLength(10)
  })

  test('the reach counts devices by kind, and leaves announcements of the outcome out', () => {
    const outcome = { ...row('x').message, kind: 'outcome' as const }
    const rows = [
      row('a', { state: 'accepted' }),
      row('b', { state: 'gone' }),
      row('c', { kind: 'phone', state: 'accepted' }),
      row('d', { state: 'accepted', message: outcome }),
    ]
    rows.push(row('f', { kind: 'chat', state: 'accepted' }))
    const counts = {
      switchedOff: { browser: 0, phone: 0, chat: 0 },
      waiting: { browser: 0, phone: 0, chat: 0 },
      web: 1,
      mobile: 1,
      addressedWeb: 2,
      addressedMobile: 1,
      addressedChat: 1,
      chat: 1,
      pending: false,
    }
    expect(store.countDeliveries(rows)).toEqual(counts)
    expect(store.countDeliveries([...rows, row('e')]).pending).toBe(true)
  })

  test('an alarm keeps its first moment and its last words until it is cleared', async () => {
    const raise = (name: string, text: string, at: number) =>
      db().write((tx) => raiseAlarm(tx, { name, text, at }))
    await raise('vapid', 'first', 5)
    await raise('disk', 'full', 6)
    await raise('vapid', 'second', 7)
    expect(await listAlarms(db().read)).toEqual([
      { name: 'vapid', text: 'second', at: 7, since: 5 },
      { name: 'disk', text: 'full', at: 6, since: 6 },
    ])
    await db().write((tx) => clearAlarms(tx, ['vapid', 'unknown']))
    await db().write((tx) => clearAlarms(tx, []))
    expect((await listAlarms(db().read)).map(({ name }) => name)).toEqual(['disk'])
  })

  test('the last messages of a device are those its service answered, the newest first', async () => {
    const outcome = { ...row('x').message, kind: 'outcome' as const }
    await insert(
      row('a', { state: 'accepted', createdAt: 1 }),
      row('b', { state: 'refused', createdAt: 2 }),
      row('c', { state: 'accepted', createdAt: 3, message: outcome }),
      row('d', { createdAt: 4 }),
      row('e', { state: 'accepted', createdAt: 5, subscriberId: 'sub_2' }),
    )
    const last = await listLastDeliveries(db().read, 'sub_1', 2)
    expect(last.map(({ id }) => id)).toEqual(['dl_b', 'dl_a'])
  })
})
