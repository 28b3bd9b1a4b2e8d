import { expect, test } from 'bun:test'
import * as store from '../../src/ask/subscribers/model/open-page-store.ts'
import { onBothDatabases } from './both-databases.ts'

onBothDatabases('open pages', (db) => {
  const put = (page: string, seenAt: number, more: Partial<store.OpenPage> = {}, most = 2) =>
    db().write((tx) =>
      store.putOpenPage(tx, { personId: 'ann', page, workspaceId: 'ws_1', seenAt, ...more }, most),
    )
  const viewers = async (since: number, of = 'ws_1' as const) =>
    [...(await store.listViewers(db().read, of, since))].map(
      ([person, seenAt]) => `${person} ${seenAt}`,
    )

  test('count for their person since they were seen last, and beyond the most the oldest goes', async () => {
    await put('p1', 10)
    await put('p1', 30)
    await put('p2', 20)
    await put('b1', 5, { personId: 'ben' })
    expect((await viewers(5)).sort()).toEqual(['ann 30', 'ben 5'])
    expect([await viewers(30), await viewers(31)]).toEqual([['ann 30'], []])
    await put('p3', 40)
    await db().write((tx) => store.dropOpenPage(tx, 'ann', 'p3'))
    expect(await viewers(30)).toEqual(['ann 30'])
    await db().write((tx) => store.dropOpenPage(tx, 'ann', 'p1'))
    expect(await viewers(0)).toEqual(['ben 5'])
  })

  test('open pages that are silent are deleted', async () => {
    await put('p1', 10)
    await put('p2', 20)
    expect(await db().write((tx) => store.purgeOpenPages(tx, 20))).toBe(1)
    expect(await db().write((tx) => store.purgeOpenPages(tx, 20))).toBe(0)
    expect(await viewers(20)).toEqual(['ann 20'])
  })
})
