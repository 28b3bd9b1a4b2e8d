import { expect, test } from 'bun:test'
import { ne, sql } from 'drizzle-orm'
import * as pages from '../../src/ask/subscribers/model/page-store.ts'
import * as signIns from '../../src/ask/subscribers/model/sign-in-store.ts'
import * as store from '../../src/ask/subscribers/model/store.ts'
import { changeSubscriber } from '../../src/ask/subscribers/model/store.ts'
import type { Subscriber, SubscriberId } from '../../src/ask/subscribers/model/subscriber.ts'
import { subscribers } from '../../src/ask/subscribers/model/table.ts'
import type { Targeting } from '../../src/ask/wire/targeting.ts'
import { onBothDatabases } from './both-databases.ts'

const device = (id: string, changes: Partial<Subscriber> = {}): Subscriber => ({
  id: `sub_${id}`,
  workspaceId: 'ws_1',
  personId: undefined,
  kind: 'browser',
  transport: 'webpush',
  endpoint: `https://push.example/${id}`,
  keys: undefined,
  label: id,
  externalId: undefined,
  tags: [],
  userAgent: undefined,
  createdAt: 5,
  lastSuccessAt: undefined,
  lastErrorAt: undefined,
  lastError: undefined,
  lastShownAt: undefined,
  lastOpenedAt: undefined,
  ...changes,
})

onBothDatabases('subscribers', (db) => {
  const save = (...args: Parameters<typeof device>) =>
    db().write((tx) => store.saveSubscriber(tx, device(...args)))
  const find = (id: SubscriberId) => store.findSubscriber(db().read, 'ws_1', id)
  const labels = (devices: Iterable<Subscriber>) => [...devices].map(({ label }) => label).join('')

  test('a device follows the sign-in of its browser, if it is its person’s', async () => {
    await save('a', { personId: 'p1', signInId: 's1' })
    await save('b', { personId: 'p2', signInId: 's1' })
    await db().write((tx) => signIns.linkSignIn(tx, 'sub_b', { id: 's2', personId: 'p1' }))
    expect((await find('sub_b'))?.signInId).toBe('s1')
    await db().write((tx) => signIns.moveSignIn(tx, 's1', { id: 's3', personId: 'p1' }))
    expect([(await find('sub_a'))?.signInId, (await find('sub_b'))?.signInId]).toEqual(['s3', 's1'])
    await db().write((tx) => signIns.linkSignIn(tx, 'sub_b', { id: 's3', personId: 'p2' }))
    const linked = await signIns.devicesOfSignIns(db().read, ['s1', 's3'])
    expect([...linked.keys()]).toEqual(['s3'])
    expect(linked.get('s3')).toMatchObject([
      { id: 'sub_a', label: 'a', personId: 'p1' },
      { id: 'sub_b', label: 'b', personId: 'p2' },
    ])
    expect((await signIns.devicesOfSignIns(db().read, [])).size).toBe(0)
  })

  test('a device is read back as it was saved, full or bare, in its own workspace', async () => {
    const full = device('full', {
      personId: 'p1',
      kind: 'phone',
      keys: { p256dh: 'k', auth: 'a' },
      authorization: 'Bearer x',
      externalId: "o'brien",
      tags: ['B', 'a', 'ä'],
      userAgent: 'x',
    })
    expect(await save('bare')).toEqual(device('bare'))
    expect(await db().write((tx) => store.saveSubscriber(tx, full))).toEqual(full)
    expect(await find('sub_bare')).toEqual(device('bare'))
    expect(await find('sub_full')).toEqual(full)
    expect(await store.findSubscriber(db().read, 'ws_2', 'sub_full')).toBeUndefined()
    const { endpoint } = full
    expect(await store.findSubscriberByEndpoint(db().read, 'ws_1', endpoint)).toEqual(full)
    expect(await store.findSubscriberByEndpoint(db().read, 'ws_2', endpoint)).toBeUndefined()
  })

  test('the devices that another query names come with their tags', async () => {
    await save('a', { tags: ['x', 'y'] })
    await save('b')
    await save('c')
    const { id, label } = subscribers
    const selectOthers = () =>
      db()
        .read.select({ id })
        .from(subscribers)
        .where(ne(label, sql.placeholder('but')))
    const others = await store.subscribersIn(db().read, selectOthers)({ but: 'b' })
    expect(others).toEqual([device('a', { tags: ['x', 'y'] }), device('c')])
  })

  test('whether a workspace has any device is its own', async () => {
    expect(await store.anySubscriber(db().read, 'ws_1')).toBe(false)
    await save('one')
    expect(await store.anySubscriber(db().read, 'ws_1')).toBe(true)
    expect(await store.anySubscriber(db().read, 'ws_2')).toBe(false)
  })

  test('a known endpoint keeps its id and age, and takes the new keys and tags', async () => {
    const endpoint = 'https://push.example/same'
    await save('old', { endpoint, tags: ['a'], keys: { p256dh: 'k', auth: 'a' } })
    const again = await save('new', { endpoint, tags: ['b'], createdAt: 9 })
    expect([again.id, again.createdAt, again.tags]).toEqual(['sub_old', 5, ['b']])
    expect(await find('sub_new')).toBeUndefined()
    expect((await find('sub_old'))?.keys).toBeUndefined()
    expect(await store.matchSubscribers(db().read, 'ws_1', { tags: ['a'] })).toEqual([])
    expect((await save('other', { endpoint, workspaceId: 'ws_2' })).id).toBe('sub_other')
  })

  test('a device is changed in what is given, in its own workspace, and is not made anew', async () => {
    await save('a', { tags: ['x'], externalId: 'ann', label: 'A' })
    const change = (
      to: Parameters<typeof changeSubscriber>[2],
      workspaceId: 'ws_1' | 'ws_2' = 'ws_1',
    ) => db().write((tx) => changeSubscriber(tx, { workspaceId, id: 'sub_a' }, to))
    expect(await change({ tags: ['z', 'y'] })).toMatchObject({ label: 'A', externalId: 'ann' })
    expect(await change({ externalId: null, label: 'B' })).toMatchObject({ label: 'B' })
    expect(await change({ tags: [], label: 'C' }, 'ws_2')).toBeUndefined()
    const now = device('a', { tags: ['y', 'z'], label: 'B' })
    expect(await find('sub_a')).toEqual(now)
    expect(labels(await store.matchSubscribers(db().read, 'ws_1', { tags: ['x'] }))).toBe('')
    expect(labels(await store.matchSubscribers(db().read, 'ws_1', { tags: ['y'] }))).toBe('B')
    await db().write((tx) => store.replaceTags(tx, 'ws_1', 'sub_a', ['q', 'q']))
    expect((await find('sub_a'))?.tags).toEqual(['q'])
    await change({ tags: [] })
    expect((await find('sub_a'))?.tags).toEqual([])
    const none = { workspaceId: 'ws_1', id: 'sub_none' } as const
    expect(await db().write((tx) => changeSubscriber(tx, none, { tags: ['x'] }))).toBeUndefined()
    expect(labels(await store.matchSubscribers(db().read, 'ws_1', { tags: ['x'] }))).toBe('')
  })

  test('an endpoint that subscribes many times at once is one device', async () => {
    const endpoint = 'https://push.example/same'
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => save(id, { endpoint })))
    expect(await store.listSubscribers(db().read, 'ws_1')).toHaveLength(1)
  })

  test('pages of devices meet without a gap, the oldest first, and each device has its place', async () => {
    for (const id of ['1', 'A', 'a', 'b', 'c']) await save(id, { tags: [`of ${id}`, 'all'] })
    await save('0', { workspaceId: 'ws_2' })
    const page = (offset: number, limit: number) =>
      pages.listSubscriberPage(db().read, 'ws_1', { offset, limit })
    expect([labels(await page(0, 2)), labels(await page(2, 2))]).toEqual(['1A', 'ab'])
    expect(await page(4, 2)).toEqual([device('c', { tags: ['all', 'of c'] })])
    expect(await page(6, 2)).toEqual([])
    expect(await pages.countSubscribers(db().read, 'ws_1')).toBe(5)
    expect(await pages.countSubscribers(db().read, 'ws_3')).toBe(0)
    const place = (id: SubscriberId, workspaceId: 'ws_1' | 'ws_2' = 'ws_1') =>
      pages.placeOfSubscriber(db().read, workspaceId, id)
    expect([await place('sub_1'), await place('sub_a'), await place('sub_c')]).toEqual([0, 2, 4])
    expect([await place('sub_0'), await place('sub_b', 'ws_2')]).toEqual([undefined, undefined])
    expect(await place('sub_0', 'ws_2')).toBe(0)
    expect(await place("' or 1=1 --" as SubscriberId)).toBeUndefined()
  })

  test('the devices of a person are those of their own in that workspace, the oldest first', async () => {
    await save('b', { personId: 'ann', tags: ['ops', 'night'] })
    await save('a', { personId: 'ann' })
    await save('c', { personId: 'bob' })
    await save('d', {})
    await save('e', { personId: 'ann', workspaceId: 'ws_2' })
    const own = await pages.listOwnSubscribers(db().read, { workspaceId: 'ws_1', personId: 'ann' })
    expect(own.map(({ id, tags }) => [id, tags])).toEqual([
      ['sub_a', []],
      ['sub_b', ['night', 'ops']],
    ])
  })

  test('targeting finds the union of its fields, each device once, the oldest first', async () => {
    await save('a', { externalId: 'ann', tags: ['ops', 'night'] })
    await save('b', { externalId: 'ann', tags: ['ops'] })
    await save('c', { externalId: "o'brien" })
    await save('z', { workspaceId: 'ws_2', externalId: 'ann', tags: ['ops'] })
    const cases: Array<[Targeting, string]> = [
      [{}, 'abc'],
      [{ tags: [], externalIds: [], subscriberIds: [] }, 'abc'],
      [{ externalIds: ['ann'] }, 'ab'],
      [{ externalIds: ["o'brien", '%'] }, 'c'],
      [{ tags: ['night', 'ops'] }, 'ab'],
      [{ tags: ['OPS'] }, ''],
      [{ subscriberIds: ['sub_c', 'sub_z', 'sub_none'] }, 'c'],
      [{ tags: ['night'], externalIds: ["o'brien"], subscriberIds: ['sub_b'] }, 'abc'],
    ]
    for (const [targeting, expected] of cases) {
      const devices = await store.matchSubscribers(db().read, 'ws_1', targeting)
      expect([targeting, labels(devices)]).toEqual([targeting, expected])
    }
  })

  test('however many ids are given, each device is read once, with its tags', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => `sub_${n}` as const)
    for (const id of ids) await save(id.slice(4), { tags: [`t${id}`] })
    for (let count = 0; count <= ids.length; count++) {
      const selection = ids.slice(0, count)
      const devices = await store.readSubscribers(db().read, [...selection, ...selection])
      expect([...devices.values()].map(({ id, tags }) => [id, tags])).toEqual(
        selection.map((id) => [id, [`t${id}`]]),
      )
      await db().write((tx) => store.recordSuccess(tx, selection, 100 + count))
      const all = await store.readSubscribers(db().read, ids)
      const reached = ids.filter((id) => all.get(id)?.lastSuccessAt === 100 + count)
      expect(reached).toEqual(selection)
    }
  })

  test('a list of a thousand ids is read in pieces', async () => {
    await save('a')
    const ids = Array.from({ length: 1_200 }, (_, i) => `sub_${i}` as const)
    expect(labels((await store.readSubscribers(db().read, [...ids, 'sub_a'])).values())).toBe('a')
    const subscriberIds = [...ids, 'sub_a']
    const devices = await store.matchSubscribers(db().read, 'ws_1', { subscriberIds })
    expect(labels(devices)).toBe('a')
  })

  test('a forgotten device is gone with its tags, and only from its own workspace', async () => {
    await save('a', { tags: ['ops'] })
    const forget = (workspaceId: 'ws_1' | 'ws_2') =>
      db().write((tx) => store.forgetSubscriber(tx, workspaceId, 'sub_a'))
    expect(await forget('ws_2')).toBe(false)
    expect(await forget('ws_1')).toBe(true)
    expect(await forget('ws_1')).toBe(false)
    expect(await store.matchSubscribers(db().read, 'ws_1', { tags: ['ops'] })).toEqual([])
  })

  test('a dead endpoint forgets its device unless it has a new one', async () => {
    await save('a')
    const to = { endpoint: 'https://push.example/new', keys: { p256dh: 'k', auth: 'a' } }
    await db().write((tx) => store.moveSubscriber(tx, 'sub_a', to))
    const forget = (endpoint: string) =>
      db().write((tx) => store.forgetEndpoint(tx, 'sub_a', endpoint))
    expect(await forget('https://push.example/a')).toBe(false)
    expect(await find('sub_a')).toEqual(device('a', to))
    expect(await forget(to.endpoint)).toBe(true)
  })

  test('the last success, error, showing and opening are remembered for each device', async () => {
    await save('a')
    await save('b')
    const results = await db().write(async (tx) => {
      await store.recordSuccess(tx, ['sub_a'], 7)
      await store.recordError(tx, ['sub_a', 'sub_b'], 8, '410 gone')
      return [
        await store.recordSeen(tx, 'sub_b', { what: 'shown', at: 9 }),
        await store.recordSeen(tx, 'sub_b', { what: 'opened', at: 10 }),
        await store.recordSeen(tx, 'sub_x', { what: 'shown', at: 9 }),
      ]
    })
    expect(results).toEqual([true, true, false])
    const error = { lastErrorAt: 8, lastError: '410 gone' }
    expect(await find('sub_a')).toEqual(device('a', { lastSuccessAt: 7, ...error }))
    expect(await find('sub_b')).toEqual(device('b', { lastShownAt: 9, lastOpenedAt: 10, ...error }))
  })

  test('a device may say that nothing rings there, and takes it back', async () => {
    const { id } = await db().write((tx) => store.saveSubscriber(tx, device('silent')))
    const readSilence = async () => {
      const { silentWhy, silentSince } = (await store.findSubscriber(db().read, 'ws_1', id)) ?? {}
      return [silentWhy, silentSince]
    }
    await db().write((tx) => store.recordSilence(tx, id, { why: 'missing', since: 7 }))
    expect(await readSilence()).toEqual(['missing', 7])
    await db().write((tx) => store.recordSilence(tx, id, undefined))
    expect(await readSilence()).toEqual([undefined, undefined])
  })
})
