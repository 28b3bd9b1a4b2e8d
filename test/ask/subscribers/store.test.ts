import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  findSubscriber,
  forgetSubscriber,
  listSubscribers,
  matchSubscribers,
  saveSubscriber,
} from '../../../src/ask/subscribers/model/store.ts'
import type { Targeting } from '../../../src/ask/wire/targeting.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { aDevice, connect, workspaceId } from '../../support/devices.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a call reaches the union of what its targeting names, each device once', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const [a, b, c] = await connect(
    db,
    { label: 'a', externalId: 'ann', tags: ['ops', 'night'] },
    { label: 'b', externalId: 'ann', tags: ['ops'] },
    { label: 'c', externalId: "o'brien", tags: [] },
    { label: 'elsewhere', workspaceId: 'ws_other', externalId: 'ann', tags: ['ops'] },
  )
  const ids = [a?.id, b?.id, c?.id] as string[]
  const cases: Array<[Targeting, string]> = [
    [{}, 'abc'],
    [{ externalIds: [], subscriberIds: [], tags: [] }, 'abc'],
    [{ externalIds: ['ann'] }, 'ab'],
    [{ externalIds: ["o'brien"] }, 'c'],
    [{ externalIds: ['nobody'] }, ''],
    [{ tags: ['night'] }, 'a'],
    [{ tags: ['night', 'ops', 'ops'] }, 'ab'],
    [{ tags: ['OPS'] }, ''],
    [{ subscriberIds: [ids[2] as string] }, 'c'],
    [{ subscriberIds: [ids[0] as string, ids[0] as string, 'sub_unknown'] }, 'a'],
    [{ tags: ['night'], externalIds: ["o'brien"] }, 'ac'],
    [{ tags: ['none'], subscriberIds: [ids[1] as string] }, 'b'],
  ]
  for (const [targeting, expected] of cases) {
    const subscribers = await matchSubscribers(db.read, workspaceId, targeting)
    expect([
      subscribers
        .map((device) => device.label)
        .sort()
        .join(''),
      targeting,
    ]).toEqual([expected, targeting])
  }
})

test('lists far longer than the limit on parameters still find their devices', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const [device] = await connect(db, { externalId: 'x39999', tags: ['t39999'] }, {})
  const many = Array.from({ length: 40_000 }, (_, i) => i)
  const everyWay: Targeting[] = [
    { externalIds: many.map((i) => `x${i}`) },
    { tags: many.map((i) => `t${i}`) },
    { subscriberIds: [...many.map((i) => `sub_${i}`), device?.id as string] },
  ]
  for (const targeting of everyWay) {
    const subscribers = await matchSubscribers(db.read, workspaceId, targeting)
    expect(subscribers.map((one) => one.id)).toEqual([device?.id as never])
  }
})

test('a known endpoint keeps its id and history, and belongs to whom subscribed last', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const endpoint = 'https://push.example/same'
  const [first] = await connect(db, { endpoint, personId: 'ann', tags: ['old'], createdAt: 1 })
  const again = aDevice({ endpoint, personId: 'bob', label: 'Bob', tags: ['new', 'new'] })
  const saved = await db.write((tx) => saveSubscriber(tx, again))
  expect(saved).toMatchObject({ id: first?.id as never, personId: 'bob', createdAt: 1 })
  expect(await listSubscribers(db.read, workspaceId)).toMatchObject([
    { id: first?.id as never, label: 'Bob', tags: ['new'] },
  ])
})

test('one workspace neither sees nor forgets the devices of another', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const [device] = await connect(db, {})
  const id = device?.id as never
  expect(await findSubscriber(db.read, 'ws_other', id)).toBeUndefined()
  expect(await db.write((tx) => forgetSubscriber(tx, 'ws_other', id))).toBe(false)
  expect(await db.write((tx) => forgetSubscriber(tx, workspaceId, id))).toBe(true)
  expect(await listSubscribers(db.read, workspaceId)).toEqual([])
  expect(await matchSubscribers(db.read, workspaceId, { tags: ['t'] })).toEqual([])
})
