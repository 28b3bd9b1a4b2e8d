import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  type Ahead,
  confirmTime,
  openAgreedTime,
  readAhead,
} from '../../../src/platform/db/agreed-time.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

function world() {
  const folder = tempFolder()
  const db = openSqlite(join(folder.path, 'beckon.db'))
  const clock = fakeClock()
  const warnings: Ahead[] = []
  return {
    db,
    clock,
    warnings,
    /** As a server that starts, over a database whose newest row is from `newest`. */
    start: (newest?: number) =>
      openAgreedTime(
        { db, clock, toleranceMs: 7 * DAY, warn: (ahead) => warnings.push(ahead) },
        async () => newest,
      ),
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

test('time that passes is agreed upon, however much passes', async () => {
  await using w = world()
  const time = await w.start()
  for (const ms of [0, HOUR, 40 * DAY, 400 * DAY]) {
    await w.clock.advance(ms)
    expect(await time.read()).toBe(w.clock.now())
  }
  expect(w.warnings).toEqual([])
})

test('a clock that is set forward while the server runs is not', async () => {
  await using w = world()
  const time = await w.start()
  const before = w.clock.now()
  w.clock.jump(400 * DAY)
  expect(await time.read()).toBeUndefined()
  await w.clock.advance(30 * DAY)
  expect(await time.read()).toBeUndefined()
  expect(w.warnings).toEqual([{ clock: before + 400 * DAY, known: before }])
  expect(await readAhead(w.db.read)).toEqual({
    clock: before + 430 * DAY,
    known: before + 30 * DAY,
  })
  w.clock.jump(-400 * DAY)
  expect(await time.read()).toBe(w.clock.now())
  expect(await readAhead(w.db.read)).toBeUndefined()
})

test('a clock that is ahead at the start is not, also at the second start with it', async () => {
  await using w = world()
  await (await w.start()).read()
  w.clock.jump(400 * DAY)
  for (let start = 0; start < 2; start++) {
    expect(await (await w.start(w.clock.now())).read()).toBeUndefined()
  }
  expect(w.warnings).toHaveLength(2)
})

test('a database that has kept no time yet is judged by its newest row', async () => {
  await using w = world()
  const newest = w.clock.now()
  w.clock.jump(400 * DAY)
  expect(await (await w.start(newest)).read()).toBeUndefined()
  // What is written from now on is no witness.
  expect(await (await w.start(w.clock.now())).read()).toBeUndefined()
})

test('a server that was off for some days goes on by itself', async () => {
  await using w = world()
  await (await w.start()).read()
  w.clock.jump(6 * DAY)
  expect(await (await w.start()).read()).toBe(w.clock.now())
})

test('a person who confirms the clock ends it', async () => {
  await using w = world()
  const time = await w.start()
  w.clock.jump(400 * DAY)
  expect(await time.read()).toBeUndefined()
  await w.db.write((tx) => confirmTime(tx, w.clock.now()))
  expect(await readAhead(w.db.read)).toBeUndefined()
  await w.clock.advance(HOUR)
  expect(await time.read()).toBe(w.clock.now())
})

test('a clock that begins in 1970 and is set right is no jump', async () => {
  await using w = world()
  await (await w.start()).read()
  const now = w.clock.now()
  w.clock.jump(-now)
  const time = await w.start()
  expect(await time.read()).toBe(0)
  w.clock.jump(now)
  expect(await time.read()).toBe(now)
})
