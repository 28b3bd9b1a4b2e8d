import { expect, test } from 'bun:test'
import * as feeds from '../../src/ask/rota/model/feed-store.ts'
import type { Override, Rota } from '../../src/ask/rota/model/rota.ts'
import * as store from '../../src/ask/rota/model/store.ts'
import { onBothDatabases } from './both-databases.ts'

const PLATFORM: Rota = {
  ...{ id: 'rota_1', workspaceId: 'ws_1', name: 'platform', source: 'hand', zone: 'Europe/Berlin' },
  schedule: { startsOn: '2026-10-19', at: '09:00', everyDays: 7, people: ['ana', 'bob'] },
  createdAt: 1_000,
}
const ELSEWHERE: Rota = { ...PLATFORM, id: 'rota_2', workspaceId: 'ws_2' }
const COVER: Override = {
  ...{ id: 'ovr_1', rotaId: 'rota_1', personId: 'cleo', kind: 'takes' },
  ...{ from: 2_000, to: 3_000, createdAt: 1_000 },
}

onBothDatabases('rotas', (db) => {
  const insert = (rota: Rota) => db().write((tx) => store.insertRota(tx, rota))
  const override = (one: Override) => db().write((tx) => store.insertOverride(tx, 'ws_1', one))
  const overrides = async (at: number) =>
    (await store.listOverrides(db().read, ['rota_1', 'rota_2'], at)).map(({ id }) => id)

  test('a name is one rota’s of a workspace', async () => {
    expect(await insert(PLATFORM)).toBe(true)
    expect(await insert({ ...PLATFORM, id: 'rota_9' })).toBe(false)
    expect(await insert(ELSEWHERE)).toBe(true)
    const fed = { ...PLATFORM, id: 'rota_3', name: 'Ops', schedule: undefined } as const
    await insert(fed)
    expect((await store.listRotas(db().read, 'ws_1')).map(({ name }) => name)).toEqual([
      'Ops',
      'platform',
    ])
    expect(await store.findRota(db().read, 'ws_1', 'rota_3')).toEqual(fed)
    expect(await store.findRota(db().read, 'ws_2', 'rota_3')).toBeUndefined()
    expect(await store.findRotaByName(db().read, 'ws_2', 'platform')).toEqual(ELSEWHERE)
    expect(await store.findRotaByName(db().read, 'ws_2', 'Ops')).toBeUndefined()
  })

  test('a change is of one rota, and takes its schedule away as well', async () => {
    await insert(PLATFORM)
    await insert(ELSEWHERE)
    const changed: Rota = { ...PLATFORM, name: 'base', source: 'file', zone: 'UTC' }
    await db().write((tx) => store.putRota(tx, changed))
    expect(await store.findRota(db().read, 'ws_1', 'rota_1')).toEqual(changed)
    await db().write((tx) => store.putRota(tx, { ...changed, schedule: undefined }))
    expect((await store.findRota(db().read, 'ws_1', 'rota_1'))?.schedule).toBeUndefined()
    expect(await store.findRota(db().read, 'ws_2', 'rota_2')).toEqual(ELSEWHERE)
  })

  test('overrides are listed until they are over, and deleted by their rota or once they are old', async () => {
    await insert(PLATFORM)
    await override({ ...COVER, id: 'ovr_2', from: 2_500, to: 9_000 })
    await override(COVER)
    await override({ ...COVER, id: 'ovr_3', rotaId: 'rota_2' })
    expect(await overrides(2_999)).toEqual(['ovr_1', 'ovr_3', 'ovr_2'])
    expect(await overrides(3_000)).toEqual(['ovr_2'])
    expect(await store.listOverrides(db().read, [], 0)).toEqual([])
    const drop = (rota: Rota) => db().write((tx) => store.deleteOverride(tx, rota, 'ovr_2'))
    expect(await drop(ELSEWHERE)).toBeUndefined()
    expect(await drop(PLATFORM)).toMatchObject({ id: 'ovr_2', to: 9_000 })
    expect(await db().write((tx) => store.deleteOldOverrides(tx, 2_999))).toBe(0)
    expect(await db().write((tx) => store.deleteOldOverrides(tx, 3_000))).toBe(2)
  })

  test('a deleted rota takes its overrides along', async () => {
    await insert(PLATFORM)
    await override(COVER)
    const drop = (workspaceId: Rota['workspaceId']) =>
      db().write((tx) => store.deleteRota(tx, workspaceId, 'rota_1'))
    expect(await drop('ws_2')).toBe(false)
    expect(await drop('ws_1')).toBe(true)
    expect(await overrides(0)).toEqual([])
  })

  test('a calendar keeps what was read last, says why it fails, and is due again in time', async () => {
    const fed: Rota = { ...PLATFORM, schedule: undefined }
    await insert(fed)
    await insert(ELSEWHERE)
    const of = { rotaId: fed.id, workspaceId: fed.workspaceId, url: 'https://a.example/1.ics' }
    const setUrl = (url: string) => db().write((tx) => feeds.putFeedUrl(tx, fed.id, url))
    const put = (reading: feeds.FeedReading, at: number, url = of.url) =>
      db().write((tx) => feeds.putReading(tx, { ...of, url }, reading, at))
    const feed = async () => (await feeds.listFeeds(db().read, ['rota_1', 'rota_2']))[0]
    await setUrl(of.url)
    expect(await feeds.listDueFeeds(db().read, 0, 5)).toEqual([
      { ...of, etag: undefined, zone: 'Europe/Berlin' },
    ])
    const claim = (at: number, before: number) =>
      db().write((tx) => feeds.claimFeed(tx, of, { at, before }))
    expect([await claim(500, 400), await claim(500, 400), await claim(900, 500)]).toEqual([
      ...[true, false, true],
    ])
    const shifts = [
      { from: 1, to: 2, attendees: ['ana@example.org'], organizer: '', summary: 'Ana' },
    ]
    await put({ is: 'read', shifts, etag: 'e' }, 1_000)
    expect(await feeds.listDueFeeds(db().read, 999, 5)).toEqual([])
    expect(await feeds.listDueFeeds(db().read, 1_000, 5)).toHaveLength(1)
    await put({ is: 'failed', problem: 'it was not there' }, 2_000)
    const before = { shifts, etag: 'e', readAt: 1_000 }
    expect(await feed()).toMatchObject({ ...before, triedAt: 2_000, problem: 'it was not there' })
    await put({ is: 'same' }, 3_000)
    expect(await feed()).toMatchObject({ ...before, readAt: 3_000, problem: undefined })
    await setUrl(of.url)
    expect(await feed()).toMatchObject({ shifts })
    await setUrl('https://a.example/2.ics')
    await put({ is: 'read', shifts, etag: 'late' }, 4_000)
    expect(await feed()).toMatchObject({ shifts: [], etag: undefined, triedAt: undefined })
    await db().write((tx) => store.deleteRota(tx, 'ws_1', 'rota_1'))
    expect(await feed()).toBeUndefined()
  })
})
