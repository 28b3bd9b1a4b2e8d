import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { WorkspaceId } from '../../../src/ask/accounts/model/ids.ts'
import { createOpenPages } from '../../../src/ask/subscribers/model/open-page-store.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { connect, workspaceId } from '../../support/devices.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const ANN = { id: 'ann', workspaceId }
const BO = { id: 'bo', workspaceId }

function world() {
  const folder = tempFolder()
  const db = openSqlite(join(folder.path, 'beckon.db'))
  const clock = fakeClock()
  const pages = createOpenPages({ db, clock })
  const reach = (targeting = {}, of: WorkspaceId = workspaceId) =>
    pages.reach({ workspaceId: of, tokenId: 'key_1' }, targeting)
  async function close() {
    await db[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  }
  return { db, clock, pages, reach, [Symbol.asyncDispose]: close }
}

test('a page counts for 30 seconds after it was seen, in its own workspace', async () => {
  await using w = world()
  expect(await w.reach()).toBe(false)
  await w.pages.seen(ANN, 'p1')
  expect([await w.reach(), await w.reach({}, 'ws_other')]).toEqual([true, false])
  await w.clock.advance(30_000)
  expect(await w.reach()).toBe(true)
  await w.clock.advance(1)
  expect(await w.reach()).toBe(false)
})

test('a page that reports to one process is known to the others, until it goes at any', async () => {
  await using w = world()
  const other = createOpenPages(w)
  await other.seen(ANN, 'p1')
  expect(await w.reach()).toBe(true)
  await other.seen({ ...ANN, workspaceId: 'ws_other' }, 'p1')
  expect([await w.reach(), await w.reach({}, 'ws_other')]).toEqual([false, true])
  await w.pages.gone('ann', 'p1')
  expect(await other.reach({ workspaceId: 'ws_other', tokenId: 'key_1' }, {})).toBe(false)
})

test('one of two tabs that is hidden leaves the other; nobody hides the tab of another', async () => {
  await using w = world()
  await w.pages.seen(ANN, 'p1')
  await w.pages.seen(ANN, 'p2')
  await w.pages.gone('ann', 'p1')
  await w.pages.gone('bo', 'p2')
  expect(await w.reach()).toBe(true)
  await w.pages.gone('ann', 'p2')
  expect(await w.reach()).toBe(false)
})

test('a target counts the pages of those whose devices it names', async () => {
  await using w = world()
  await connect(w.db, { personId: 'bo', tags: ['work'], externalId: 'bo-1' })
  await w.pages.seen(ANN, 'p1')
  expect(await w.reach({ tags: ['work'] })).toBe(false)
  await w.pages.seen(BO, 'p1')
  expect(await w.reach({ tags: ['work'] })).toBe(true)
  expect(await w.reach({ externalIds: ['bo-1'] })).toBe(true)
  expect(await w.reach({ tags: ['nobody'], subscriberIds: ['sub_none'] })).toBe(false)
  expect(await w.reach({ tags: [] })).toBe(true)
})

test('somebody with 51 tabs has 50: the one that was silent longest is forgotten', async () => {
  await using w = world()
  for (let i = 0; i <= 50; i++) {
    await w.pages.seen(ANN, `p${i}`)
    await w.clock.advance(1)
  }
  for (let i = 1; i <= 49; i++) await w.pages.gone('ann', `p${i}`)
  expect(await w.reach()).toBe(true)
  await w.pages.gone('ann', 'p50')
  expect(await w.reach()).toBe(false)
})
