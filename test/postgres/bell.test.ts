import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import type { OpenDb } from '../../src/platform/db/database.ts'
import { openPostgres, type PostgresOptions } from '../../src/platform/db/postgres/open.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let admin: SQL

beforeAll(async () => {
  database = await testDatabase()
  admin = new SQL(database.url, { max: 2 })
})
afterAll(async () => {
  await admin.close()
  await database[Symbol.asyncDispose]()
})

const open = (more: Partial<PostgresOptions> = {}): Promise<OpenDb> =>
  openPostgres({ url: database.url, listenUrl: undefined, pool: 2, lookMs: 200, ...more })

/** What `db` hears of questions, and how often it may have missed something. */
function heardBy(db: OpenDb) {
  const heard: string[] = []
  const counts = { missed: 0, looked: 0 }
  db.changes.on('question', undefined, (id) => heard.push(id))
  db.changes.onMissed(() => counts.missed++)
  db.changes.onLook(() => counts.looked++)
  return { heard, counts }
}

const tell = (db: OpenDb, ...ids: string[]) =>
  db.write(async (tx) => {
    for (const id of ids) tx.emit('question', id)
  })

/** The server's processes that listen for changes. */
async function listeners(): Promise<number[]> {
  const rows: Array<{ pid: number }> = await admin.unsafe(
    "select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN%'",
  )
  return rows.map(({ pid }) => pid)
}

test('what one process commits every process hears once, and nothing of what was undone', async () => {
  await using a = await open()
  await using b = await open()
  const [atA, atB] = [heardBy(a), heardBy(b)]
  await tell(a, 'q_1')
  expect(atA.heard).toEqual(['q_1'])
  await a
    .write(async (tx) => {
      tx.emit('question', 'q_undone')
      throw new Error('undone')
    })
    .catch(() => {})
  await tell(a, 'q_2')
  await until(() => atB.heard.length === 2)
  expect(atB.heard).toEqual(['q_1', 'q_2'])
  expect(atA.heard).toEqual(['q_1', 'q_2'])
  expect([atA.counts.missed, atB.counts.missed]).toEqual([0, 0])
  await until(() => atA.counts.looked > 2 && atB.counts.looked > 2)
})

test('more than one notification takes is told in several, and an id that fits none as a gap', async () => {
  await using a = await open()
  await using b = await open()
  const { heard, counts } = heardBy(b)
  const ids = Array.from({ length: 2_000 }, (_, i) => `q_${i}_ä"\\`)
  await tell(a, ...ids)
  await until(() => heard.length === ids.length)
  expect(heard).toEqual(ids)
  expect(counts.missed).toBe(0)
  await tell(a, 'x'.repeat(10_000))
  await until(() => counts.missed === 1)
})

test('a command tells the servers and hears nothing', async () => {
  await using server = await open()
  const { heard } = heardBy(server)
  const before = await listeners()
  {
    await using command = await open({ listens: false })
    expect(await listeners()).toEqual(before)
    await tell(command, 'q_command')
  }
  await until(() => heard.includes('q_command'))
})

test('a listener whose connection was ended hears again, and knows that it may have missed something', async () => {
  await using a = await open()
  await using b = await open()
  const { heard, counts } = heardBy(b)
  for (const pid of await listeners()) process.kill(pid, 'SIGTERM')
  await until(() => counts.missed > 0)
  await until(async () => {
    await tell(a, 'q_again')
    return heard.includes('q_again')
  })
})

test('a listener that stands still without a word is replaced', async () => {
  await using a = await open()
  const before = await listeners()
  await using b = await open()
  const { heard, counts } = heardBy(b)
  const [frozen] = (await listeners()).filter((pid) => !before.includes(pid)) as [number]
  process.kill(frozen, 'SIGSTOP')
  try {
    await until(() => counts.missed > 0)
    await until(async () => {
      await tell(a, 'q_after')
      return heard.includes('q_after')
    })
  } finally {
    process.kill(frozen, 'SIGCONT')
  }
}, 60_000)
