import { expect, test } from 'bun:test'
import type { Attempt, Callback, CallbackId } from '../../src/ask/callbacks/model/callback.ts'
import * as secrets from '../../src/ask/callbacks/model/secret-store.ts'
import { type CallbackSecret, FOREVER } from '../../src/ask/callbacks/model/secret-store.ts'
import * as store from '../../src/ask/callbacks/model/store.ts'
import { callbacks } from '../../src/ask/callbacks/model/table.ts'
import {
  claimDue,
  extendClaims,
  isDue,
  readBacklog,
  releaseClaims,
} from '../../src/platform/db/outbox-store.ts'
import { onBothDatabases } from './both-databases.ts'

const row = (id: string, changes: Partial<Callback> = {}): Callback => ({
  id: `cb_${id}`,
  workspaceId: 'ws_1',
  questionId: `q_${id}`,
  url: 'https://a.example/hook?x=1',
  origin: 'https://a.example',
  body: '{"value":"Übung \\u0000 🙂"}',
  test: false,
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
  ...changes,
})

const attempt = (callbackId: CallbackId, at: number, changes: Partial<Attempt> = {}): Attempt => ({
  id: `att_${callbackId}_${at}`,
  callbackId,
  at,
  status: 500,
  error: 'Trouble.',
  ...changes,
})

onBothDatabases('callbacks', (db) => {
  const insert = (...rows: Callback[]) =>
    db().write(async (tx) => {
      for (const one of rows) await store.insertCallback(tx, one)
    })
  const list = (limit = 10, before?: CallbackId) =>
    store.listCallbacks(db().read, 'ws_1', { before, limit })
  const find = (id: CallbackId) => store.findCallback(db().read, 'ws_1', id)
  const claim = (by: string, now: number, more: { limit?: number; busy?: string[] } = {}) => {
    const { limit = 10, busy = [] } = more
    const passOver = { column: callbacks.origin, values: busy }
    return db().write((tx) =>
      claimDue(tx, callbacks, { by, now, until: now + 50 }, { limit, passOver }),
    )
  }
  const settle = (by: string, settled: store.SettledCallback) =>
    db().write((tx) => store.settleCallback(tx, by, settled))
  const ids = (rows: Array<{ id: string }>) => rows.map(({ id }) => id).sort()

  test('rows are read back as they were stored, newest first, page by page, in their own workspace', async () => {
    await insert(row('a'), row('c', { test: true }), row('b'), row('z', { workspaceId: 'ws_2' }))
    expect(await list()).toEqual([row('c', { test: true }), row('b'), row('a')])
    expect(await list(1, 'cb_c')).toEqual([row('b')])
    expect(await find('cb_z')).toBeUndefined()
    expect(ids(await store.callbacksOf(db().read, ['q_a', 'q_b', 'q_none']))).toEqual([
      'cb_a',
      'cb_b',
    ])
    expect(await store.callbacksOf(db().read, [])).toEqual([])
  })

  test('a question has a callback for each address', async () => {
    const other = row('b', { questionId: 'q_a', url: 'https://b.example/hook' })
    await insert(row('a'), other)
    expect(await list()).toEqual([other, row('a')])
  })

  test('a claim takes what is due and free, the longest due first, and nothing for a busy server', async () => {
    await insert(
      row('late', { nextAt: 3 }),
      row('due', { nextAt: 20 }),
      row('soon', { nextAt: 21 }),
      row('busy', { origin: 'https://b.example' }),
      row('taken', { claimedBy: 'other', claimedUntil: 21 }),
      row('freed', { claimedBy: 'dead', claimedUntil: 20 }),
      row('ended', { state: 'delivered' }),
    )
    expect(await isDue(db().read, callbacks, 2)).toBe(false)
    expect(await isDue(db().read, callbacks, 20)).toBe(true)
    const busy = ['https://b.example']
    expect(ids(await claim('me', 20, { limit: 2, busy }))).toEqual(['cb_freed', 'cb_late'])
    expect(ids(await claim('me', 20, { busy }))).toEqual(['cb_due'])
    expect(await claim('me', 20, { busy })).toEqual([])
    expect(ids(await claim('me', 20))).toEqual(['cb_busy'])
    expect(await isDue(db().read, callbacks, 20)).toBe(false)
    const callback = row('due', { nextAt: 20, claimedBy: 'me', claimedUntil: 70 })
    expect(await find('cb_due')).toEqual(callback)
  })

  test('the backlog counts what waits, and knows what is due the longest', async () => {
    const backlog = async () => {
      const backlog = await store.readCallbackBacklog(db().read)
      expect(await readBacklog(db().read, callbacks)).toEqual(backlog)
      return backlog
    }
    expect(await backlog()).toEqual({ waiting: 0, firstDueAt: undefined })
    await insert(
      row('late', { nextAt: 20 }),
      row('due', { nextAt: 3, claimedBy: 'me', claimedUntil: 50 }),
      row('ended', { nextAt: 1, state: 'delivered' }),
    )
    expect(await backlog()).toEqual({ waiting: 2, firstDueAt: 3 })
  })

  test('an attempt is written down by who holds the row, and by nobody else', async () => {
    await insert(row('a'))
    await claim('me', 10)
    const failed = { attempt: attempt('cb_a', 12), state: 'waiting', nextAt: 40 } as const
    await settle('thief', { ...failed, attempt: attempt('cb_a', 11), state: 'delivered' })
    expect(await find('cb_a')).toMatchObject({ state: 'waiting', claimedBy: 'me', attempts: 0 })
    await settle('me', failed)
    const waiting = { attempts: 1, nextAt: 40, lastStatus: 500, lastError: 'Trouble.' }
    expect(await find('cb_a')).toEqual(row('a', waiting))
    await claim('me', 40)
    const well = attempt('cb_a', 41, { status: 204, error: null })
    await settle('me', { attempt: well, state: 'delivered', nextAt: undefined })
    expect(await find('cb_a')).toEqual(
      row('a', {
        state: 'delivered',
        attempts: 2,
        nextAt: 40,
        endedAt: 41,
        lastStatus: 204,
      }),
    )
    const log = await store.listAttempts(db().read, ['cb_a', 'cb_b'])
    expect(log).toEqual([attempt('cb_a', 11), attempt('cb_a', 12), well])
    expect(await store.listAttempts(db().read, [])).toEqual([])
  })

  test('claims are kept and let go by their holder alone', async () => {
    await insert(row('a'), row('b'))
    await claim('me', 10, { limit: 1 })
    await claim('other', 10)
    await db().write((tx) =>
      extendClaims(tx, callbacks, 'me', { ids: ['cb_a', 'cb_b'], until: 500 }),
    )
    expect((await find('cb_a'))?.claimedUntil).toBe(500)
    expect((await find('cb_b'))?.claimedUntil).toBe(60)
    await db().write((tx) => releaseClaims(tx, callbacks, 'me'))
    expect(await find('cb_a')).toEqual(row('a'))
    expect((await find('cb_b'))?.claimedBy).toBe('other')
  })

  test('a callback whose day is over ends without an attempt', async () => {
    await insert(row('a'))
    await claim('me', 10)
    const late = { id: 'cb_a', at: 2_000, reason: 'Too late.' } as const
    await db().write((tx) => store.lapseCallback(tx, 'other', late))
    expect((await find('cb_a'))?.state).toBe('waiting')
    await db().write((tx) => store.lapseCallback(tx, 'me', late))
    expect(await find('cb_a')).toEqual(
      row('a', { state: 'lapsed', endedAt: 2_000, lastError: 'Too late.' }),
    )
  })

  test('a question whose callback is on its way is under way; what is deleted goes with its attempts', async () => {
    await insert(row('a'), row('b', { state: 'gone' }), row('c', { state: 'gone' }))
    await claim('me', 10)
    await settle('me', { attempt: attempt('cb_a', 12), state: 'waiting', nextAt: 40 })
    const busy = (ids: Parameters<typeof store.callbacksUnderWay>[1]) =>
      store.callbacksUnderWay(db().read, ids)
    expect(await busy(['q_a', 'q_b', 'n_a'])).toEqual(new Set(['q_a']))
    expect(await busy([])).toEqual(new Set())
    await db().write((tx) => store.deleteCallbacks(tx, ['q_a', 'q_b', 'q_none', 'n_c']))
    await db().write((tx) => store.deleteCallbacks(tx, []))
    expect(ids(await list())).toEqual(['cb_c'])
    expect(await store.listAttempts(db().read, ['cb_a'])).toEqual([])
  })

  test('an ended one is opened again with a new life, one in somebody’s hands is not', async () => {
    await insert(row('a', { state: 'gone', endedAt: 20, attempts: 3 }), row('b'))
    const reopen = (id: CallbackId, workspaceId: 'ws_1' | 'ws_2' = 'ws_1') =>
      db().write((tx) => store.reopenCallback(tx, workspaceId, id, { now: 50, expiresAt: 5_000 }))
    expect(await reopen('cb_a', 'ws_2')).toBeUndefined()
    expect(await reopen('cb_a')).toEqual(row('a', { nextAt: 50, expiresAt: 5_000 }))
    await claim('me', 10)
    expect(await reopen('cb_b')).toBeUndefined()
  })
})

onBothDatabases('callback secrets', (db) => {
  const secretRow = (id: string, changes: Partial<CallbackSecret> = {}): CallbackSecret => ({
    id,
    workspaceId: 'ws_1',
    secret: `whsec_${id}`,
    createdAt: 1,
    endsAt: FOREVER,
    ...changes,
  })
  const keep = (one: CallbackSecret) => db().write((tx) => secrets.keepFirstSecret(tx, one))
  const live = (now: number) => secrets.liveSecrets(db().read, 'ws_1', now)

  test('the first secret stays, whoever comes later; each workspace has its own', async () => {
    await Promise.all([keep(secretRow('a')), keep(secretRow('z', { workspaceId: 'ws_2' }))])
    await keep(secretRow('b'))
    expect(await live(10)).toEqual([secretRow('a')])
  })

  test('a rotated secret goes on beside the new one until its end', async () => {
    await keep(secretRow('a'))
    await db().write((tx) => secrets.replaceSecret(tx, secretRow('b'), 100))
    await db().write((tx) => secrets.replaceSecret(tx, secretRow('c'), 120))
    const before = [secretRow('b', { endsAt: 120 }), secretRow('a', { endsAt: 100 })]
    expect(await live(99)).toEqual([secretRow('c'), ...before])
    expect(await live(100)).toEqual([secretRow('c'), secretRow('b', { endsAt: 120 })])
    expect(await live(120)).toEqual([secretRow('c')])
  })
})
