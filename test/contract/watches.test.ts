import { expect, test } from 'bun:test'
import { insertPerson, putOff } from '../../src/ask/accounts/model/person-store.ts'
import * as news from '../../src/ask/watches/model/news-store.ts'
import type { WatchPost } from '../../src/ask/watches/model/post.ts'
import * as posts from '../../src/ask/watches/model/post-store.ts'
import * as store from '../../src/ask/watches/model/store.ts'
import { watchPosts } from '../../src/ask/watches/model/table.ts'
import type { Watch } from '../../src/ask/watches/model/watch.ts'
import { claimDue, unsent } from '../../src/platform/db/outbox-store.ts'
import { newsItem } from '../support/watch-world.ts'
import { onBothDatabases } from './both-databases.ts'

const ANA: Watch = {
  ...{ id: 'wat_1', workspaceId: 'ws_1', personId: 'ana', tokenId: undefined, kind: 'tool' },
  ...{ target: 'acme-mail', records: [], news: ['endings'], url: undefined, secret: undefined },
  ...{ createdAt: 5, upTo: 0, stoppedAt: undefined, stoppedWhy: undefined },
}
const LIST: Watch = { ...ANA, id: 'wat_2', kind: 'list', target: 'shop', records: ['a', 'b'] }
const PROGRAM: Watch = {
  ...{ ...ANA, id: 'wat_3', personId: undefined, tokenId: 'key_1', kind: 'category' },
  ...{ target: 'Übung 🙂', url: 'https://a.example/hook', secret: 'whsec_x' },
}
const OF_ANA = { workspaceId: 'ws_1', personId: 'ana' } as const
const OF_PROGRAM = { workspaceId: 'ws_1', tokenId: 'key_1' } as const
const STOP = { at: 50, why: 'It failed.' }

const post = (id: string, more: Partial<WatchPost> = {}): WatchPost => ({
  ...{ id: `wp_${id}`, workspaceId: 'ws_1', watchId: 'wat_3', url: 'https://a.example/hook' },
  ...{ origin: 'https://a.example', body: '{}', ...unsent(10, 1_000), ...more },
})

onBothDatabases('watches', (db) => {
  const insert = (...some: Watch[]) =>
    db().write(async (tx) => {
      for (const watch of some) await store.insertWatch(tx, watch)
    })
  const ids = (some: readonly Watch[]) => some.map(({ id }) => id)

  test('a person and a program have watches of their own', async () => {
    expect(await store.anyWatch(db().read)).toBe(false)
    await insert(PROGRAM, LIST, ANA, { ...ANA, id: 'wat_4', workspaceId: 'ws_2' })
    expect(await store.anyWatch(db().read)).toBe(true)
    expect(await store.listWatches(db().read, OF_ANA)).toEqual([ANA, LIST])
    expect(await store.listWatches(db().read, OF_PROGRAM)).toEqual([PROGRAM])
    expect(await store.findWatch(db().read, 'wat_3')).toEqual(PROGRAM)
    expect(await store.findWatch(db().read, 'wat_9')).toBeUndefined()
    expect(ids(await store.listNaming(db().read))).toEqual(['wat_1', 'wat_2', 'wat_4'])
  })

  test('what is behind moves on once, and not while it is stopped', async () => {
    await insert(ANA, LIST, PROGRAM)
    expect(ids(await store.listBehind(db().read, 0))).toEqual([])
    expect(ids(await store.listBehind(db().read, 1))).toEqual(['wat_1', 'wat_2', 'wat_3'])
    expect(await db().write((tx) => store.advance(tx, [ANA, LIST], 1))).toEqual(['wat_1', 'wat_2'])
    expect(await db().write((tx) => store.advance(tx, [ANA], 2))).toEqual([])
    expect(ids(await store.listBehind(db().read, 1))).toEqual(['wat_3'])
    expect(await db().write((tx) => store.stopWatches(tx, OF_ANA, STOP))).toBe(2)
    expect(await db().write((tx) => store.stopWatches(tx, OF_ANA, STOP))).toBe(0)
    expect(await db().write((tx) => store.advance(tx, [{ id: 'wat_1', upTo: 1 }], 2))).toEqual([])
    await db().write((tx) => store.putWatch(tx, 'wat_1', { upTo: 7, target: 'other' }))
    const again = await store.findWatch(db().read, 'wat_1')
    expect(again).toEqual({ ...ANA, upTo: 7, target: 'other' })
  })

  test('somebody who takes no part is not told', async () => {
    const ana = { id: 'ana', name: 'Ana', email: 'ana@example.org' }
    const person = { ...ana, workspaceId: 'ws_1', role: 'member' } as const
    await db().write((tx) => insertPerson(tx, person, 1))
    await insert(ANA, PROGRAM)
    await db().write((tx) => putOff(tx, { workspaceId: 'ws_1', personId: 'ana' }, 5))
    expect(ids(await store.listBehind(db().read, 1))).toEqual(['wat_3'])
    expect(ids(await store.listNaming(db().read))).toEqual([])
  })

  test('a program whose address failed is listed, and what is removed is gone', async () => {
    await insert(ANA, PROGRAM)
    await db().write((tx) => store.stopWatches(tx, { id: 'wat_3' }, STOP))
    await db().write((tx) => store.stopWatches(tx, OF_ANA, STOP))
    expect(ids(await store.listFailed(db().read, 'ws_1'))).toEqual(['wat_3'])
    expect(await store.listFailed(db().read, 'ws_2')).toEqual([])
    expect(await db().write((tx) => store.deleteWatch(tx, 'wat_3'))).toBe(true)
    expect(await db().write((tx) => store.deleteWatch(tx, 'wat_3'))).toBe(false)
    await db().write((tx) => store.deleteWatches(tx, OF_ANA))
    expect(await store.anyWatch(db().read)).toBe(false)
  })

  test('news have numbers in their order, and the newest of a subject counts', async () => {
    expect(await news.lastNumber(db().read)).toBe(0)
    const [one, two] = [newsItem('one'), newsItem('two')]
    const later = newsItem('one', { state: 'later' })
    await db().write((tx) => news.noteItems(tx, [one, two], 10))
    await db().write((tx) => news.noteItems(tx, [later], 20))
    expect(await news.lastNumber(db().read)).toBe(3)
    expect(await news.readNewsAfter(db().read, 0)).toEqual([
      { number: 2, item: two },
      { number: 3, item: later },
    ])
    expect(await news.readNewsAfter(db().read, 2)).toEqual([{ number: 3, item: later }])
    const noticed = await news.readNoticed(db().read)
    expect(noticed.get('one')).toEqual(later)
    expect(await news.listOldSubjects(db().read, 15)).toEqual(['two'])
    expect(await news.listOldSubjects(db().read, 99)).toEqual(['two'])
    await db().write((tx) => news.deleteNews(tx, ['two']))
    expect([...(await news.readNoticed(db().read)).keys()]).toEqual(['one'])
  })

  test('a post is settled by whoever holds it, and old ones are deleted', async () => {
    const insertAll = db().write(async (tx) => {
      for (const id of ['a', 'b', 'c']) await posts.insertPost(tx, post(id))
    })
    await insertAll
    expect((await posts.readPostBacklog(db().read)).waiting).toBe(3)
    const claim = { by: 'here', now: 20, until: 100 }
    await db().write((tx) => claimDue(tx, watchPosts, claim, { limit: 2 }))
    const settled = { at: 30, status: 204, error: null, nextAt: undefined }
    await db().write(async (tx) => {
      await posts.settlePost(tx, 'here', { id: 'wp_a', state: 'delivered', ...settled })
      await posts.lapsePost(tx, 'here', { id: 'wp_b', at: 31, reason: 'Late.' })
      await posts.settlePost(tx, 'elsewhere', { id: 'wp_c', state: 'delivered', ...settled })
    })
    const states = async () =>
      (await posts.listPosts(db().read, 'wat_3')).map(({ state }) => state).sort()
    expect(await states()).toEqual(['delivered', 'lapsed', 'waiting'])
    await db().write((tx) => posts.deleteOldPosts(tx, 31))
    expect(await states()).toEqual(['lapsed', 'waiting'])
    await db().write((tx) => posts.deletePosts(tx, 'wat_3'))
    expect(await states()).toEqual([])
  })
})
