import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { healthRoutes } from '../../../src/ask/health/probes-rest.ts'
import { questions } from '../../../src/ask/questions/model/table.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { putSetting } from '../../../src/platform/db/settings-store.ts'
import type { Listener } from '../../../src/platform/http/listener.ts'
import { silentLog } from '../../../src/platform/log.ts'
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts'
import { CAN_MOUNT, smallDisk } from '../../support/small-disk.ts'
import { startServer } from '../../support/start-server.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let folder: ReturnType<typeof tempFolder>
let clock: FakeClock
let db: OpenDb
let server: Listener
let writes: number
let free: number | undefined
let lines: string[]
let leaving: AbortController
let problem: string | undefined

beforeEach(() => {
  folder = tempFolder()
  clock = fakeClock()
  writes = 0
  free = undefined
  lines = []
  leaving = new AbortController()
  problem = undefined
})
afterEach(async () => {
  await server.stop(0)
  await db[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

function serve(path: string) {
  db = openDataFolder(path)
  const write: OpenDb['write'] = (work) => {
    writes++
    return db.write(work)
  }
  const routes = [
    healthRoutes({
      db: { ...db, write },
      clock,
      log: { ...silentLog, warn: (text) => lines.push(text), info: (text) => lines.push(text) },
      freeBytes: () => free,
      leaving: leaving.signal,
      tlsProblem: () => problem,
    }),
  ]
  server = startServer({ log: silentLog, routes })
}

async function ready(): Promise<string> {
  const response = await fetch(`${server.url}/readyz`)
  const { status, detail } = await response.json()
  return `${response.status} ${detail ?? status}`
}

test.skipIf(!CAN_MOUNT)(
  'a full disk is not ready, in its own words, and ready again once there is room',
  async () => {
    using _disk = smallDisk(folder.path)
    serve(folder.path)
    expect(await ready()).toBe('200 ready')
    const filler = join(folder.path, 'filler')
    expect(() => writeFileSync(filler, 'x'.repeat(4_000_000))).toThrow('ENOSPC')
    await clock.advance(30_000)
    const full = 'The disk of the server is full; nothing was recorded. Free space, then try again.'
    expect(await ready()).toBe(`503 ${full}`)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)

    rmSync(filler)
    await clock.advance(4_999)
    expect(await ready()).toStartWith('503')
    await clock.advance(1)
    expect(await ready()).toBe('200 ready')
  },
)

test('a write that was refused to anybody counts at once, until a trial goes through', async () => {
  serve(folder.path)
  expect(await ready()).toBe('200 ready')
  await db.orm.run('pragma max_page_count = 1')
  const large = db.write((tx) => putSetting(tx, 'large', 'x'.repeat(5_000_000), 1))
  expect(await large.catch((error) => error.code)).toBe('unavailable')
  expect(await ready()).toContain('503 The disk of the server is full')
  // A small write into the row of before would find room, and a question none.
  await clock.advance(5_000)
  expect(await ready()).toContain('503 The disk of the server is full')
  await db.orm.run('pragma max_page_count = 1000000')
  await clock.advance(5_000)
  expect(await ready()).toBe('200 ready')
})

test('a database that may not be written is not ready', async () => {
  serve(folder.path)
  await db.orm.run('pragma query_only = 1')
  expect(await ready()).toBe('503 The database of the server is read-only; nothing was recorded.')
})

test('a server on which no question can be asked is not ready', async () => {
  serve(folder.path)
  await db.orm.run(
    `create trigger broken before insert on questions begin select raise(abort, 'x'); end`,
  )
  expect(await ready()).toStartWith('503 ')
  await db.orm.run('drop trigger broken')
  await clock.advance(5_000)
  expect(await ready()).toBe('200 ready')
  expect(await db.read.select().from(questions)).toEqual([])
})

test('a disk without room is not ready, whether or not the last write found some', async () => {
  serve(folder.path)
  expect(await ready()).toBe('200 ready')
  free = 4_096
  expect(await ready()).toBe('503 The disk of the server is full; free space.')
  free = 1_000_000
  expect(await ready()).toBe('200 ready')
})

test('whoever asks often makes no more writes than whoever asks seldom', async () => {
  serve(folder.path)
  await Promise.all(Array.from({ length: 50 }, ready))
  await clock.advance(29_999)
  await Promise.all(Array.from({ length: 50 }, ready))
  expect(writes).toBe(1)
  await clock.advance(1)
  await Promise.all(Array.from({ length: 50 }, ready))
  expect(writes).toBe(2)
})

test('a probe that asks again and again is one line in the log, until the answer changes', async () => {
  serve(folder.path)
  for (let i = 0; i < 3; i++) expect(await ready()).toBe('200 ready')
  expect(lines).toEqual([])
  leaving.abort()
  for (let i = 0; i < 3; i++) expect(await ready()).toStartWith('503')
  expect(lines).toEqual([])
  leaving = new AbortController()
  await server.stop(0)
  await db[Symbol.asyncDispose]()
  problem = 'The certificate is missing.'
  serve(folder.path)
  for (let i = 0; i < 3; i++) expect(await ready()).toBe(`503 ${problem}`)
  problem = undefined
  for (let i = 0; i < 3; i++) expect(await ready()).toBe('200 ready')
  expect(lines).toEqual(['the server is not ready', 'the server is ready again'])
})
