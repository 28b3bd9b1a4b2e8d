import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { eq, sql } from 'drizzle-orm'
import { systemClock } from '../../src/platform/clock.ts'
import type { OpenDb } from '../../src/platform/db/database.ts'
import { MIGRATIONS } from '../../src/platform/db/postgres/migrations.ts'
import { openPostgres, type PostgresOptions } from '../../src/platform/db/postgres/open.ts'
import { loadSecrets, readSetting } from '../../src/platform/db/settings-store.ts'
import { settings } from '../../src/platform/db/table.ts'
import { together } from '../../src/platform/db/together.ts'
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
  openPostgres({ url: database.url, listenUrl: undefined, pool: 4, ...more })

const put = (db: OpenDb, name: string, value = 'v') =>
  db.write((tx) => tx.insert(settings).values({ name, value, updatedAt: 1 }).onConflictDoNothing())

/** Processes of the server that serve connections of our own of this name. */
async function backends(name = 'beckon'): Promise<number[]> {
  const rows: Array<{ pid: number }> = await admin.unsafe(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  )
  return rows.map(({ pid }) => pid)
}

const signal = (pids: number[], name: NodeJS.Signals) => {
  for (const pid of pids) process.kill(pid, name)
}

test('a server that is frozen is given up at the deadline, and others answer meanwhile', async () => {
  await using db = await open({ deadlineMs: 1_500 })
  await put(db, 'before')
  const frozen = await backends()
  signal(frozen, 'SIGSTOP')
  try {
    const failing = db.write((tx) =>
      tx.insert(settings).values({ name: 'f', value: '', updatedAt: 1 }),
    )
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' })
    // The connections that stand still were left for new ones.
    expect(await readSetting(db.read, 'before')).toBe('v')
    expect(db.refusals()).toMatchObject({ count: 1, latest: { code: 'unavailable' } })
  } finally {
    signal(frozen, 'SIGCONT')
  }
  // What was begun on them was undone.
  await until(async () => (await readSetting(db.read, 'f')) === undefined)
})

test('a statement that takes too long is ended by the server, and the connections stay', async () => {
  await using db = await open({ deadlineMs: 1_500 })
  await put(db, 'slow')
  const before = await backends()
  const slow = db.write(async (tx) => {
    await tx
      .update(settings)
      .set({ value: sql<string>`(select pg_sleep(30))::text` })
      .where(eq(settings.name, 'slow'))
  })
  await expect(slow).rejects.toMatchObject({ message: expect.stringContaining('too long') })
  expect(before.length).toBeGreaterThan(0)
  expect(await backends()).toEqual(expect.arrayContaining(before))
})

test('when every connection is busy a write waits, and says so after the deadline', async () => {
  await using db = await open({ deadlineMs: 1_500, pool: 1 })
  const done = Promise.withResolvers<void>()
  const holding = db.write(async (tx) => {
    await tx.select().from(settings)
    await done.promise
  })
  await expect(put(db, 'late')).rejects.toMatchObject({
    message: expect.stringContaining('was free'),
  })
  done.resolve()
  await holding
  await put(db, 'in time')
})

test('a read within a write needs no second connection', async () => {
  await using db = await open({ deadlineMs: 1_500, pool: 1 })
  await put(db, 'inner', '1')
  const seen = await db.write(async (tx) => {
    await tx.update(settings).set({ value: '2' }).where(eq(settings.name, 'inner'))
    return await readSetting(db.read, 'inner')
  })
  expect(seen).toBe('2')
  expect(await readSetting(db.read, 'inner')).toBe('2')
})

test('a connection that the server ended is replaced without an error', async () => {
  await using db = await open()
  for (let round = 0; round < 5; round++) {
    // Every connection of the pool is open when all are ended.
    await Promise.all([1, 2, 3, 4].map((i) => put(db, `before ${round} ${i}`)))
    signal(await backends(), 'SIGTERM')
    const reads = [1, 2, 3, 4].map((i) => readSetting(db.read, `before ${round} ${i}`))
    expect(await Promise.all(reads)).toEqual(['v', 'v', 'v', 'v'])
    signal(await backends(), 'SIGTERM')
    await put(db, `after ${round}`)
    expect(await readSetting(db.read, `after ${round}`)).toBe('v')
  }
})

test('transactions that collide are run again until each went through', async () => {
  await using db = await open()
  await put(db, 'x', '0')
  await put(db, 'y', '0')
  const add = (first: string, second: string) =>
    db.write(async (tx) => {
      for (const name of [first, second]) {
        await tx
          .update(settings)
          .set({ updatedAt: sql`${settings.updatedAt} + 1` })
          .where(eq(settings.name, name))
      }
    })
  // Each pair takes the same rows in another order: one of two is a deadlock's victim.
  await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? add('x', 'y') : add('y', 'x'))))
  const rows = await db.read.select().from(settings).where(eq(settings.name, 'x'))
  expect(rows[0]?.updatedAt).toBe(13)
}, 60_000)

test('a process that stands still within a transaction holds up nobody, and tries again', async () => {
  await using still = await open()
  await using other = await open()
  const done = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  let tries = 0
  const standing = still.write(async (tx) => {
    await tx.lock('the same')
    started.resolve()
    if (++tries === 1) await done.promise
    await tx.insert(settings).values({ name: 'still', value: '', updatedAt: 1 })
  })
  await started.promise
  await other.write((tx) => tx.lock('the same'))
  expect(tries).toBe(1)
  done.resolve()
  await standing
  expect(tries).toBe(2)
  expect(await readSetting(other.read, 'still')).toBe('')
}, 60_000)

test('a transaction whose error was passed over is an error, not a commit', async () => {
  await using db = await open()
  const passing = db.write(async (tx) => {
    await tx.insert(settings).values({ name: 'lost', value: '', updatedAt: 1 })
    const again = tx.insert(settings).values({ name: 'lost', value: '', updatedAt: 1 })
    await Promise.resolve(again).catch(() => {})
  })
  await expect(passing).rejects.toThrow('failed transaction')
  expect(await readSetting(db.read, 'lost')).toBeUndefined()
})

test('a commit whose reply never came says that the outcome is unknown', async () => {
  await using db = await open()
  // Checked at the commit, which therefore takes a while.
  await admin
    .unsafe(`
    create function wait_a_while() returns trigger language plpgsql as
      $$ begin perform pg_sleep(30); return null; end $$;
    create constraint trigger slow_commit after insert on settings deferrable initially deferred
      for each row when (new.name = 'unknown') execute function wait_a_while();
  `)
    .simple()
  const writing = put(db, 'unknown')
  const inCommit = () =>
    admin.unsafe("select pid from pg_stat_activity where query = 'commit' and state = 'active'")
  await until(async () => (await inCommit()).length > 0)
  const [{ pid }] = await inCommit()
  signal([pid], 'SIGTERM')
  await expect(writing).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('recorded or not'),
  })
  await admin.unsafe('drop trigger slow_commit on settings')
})

test('a text that PostgreSQL cannot keep is the fault of who sent it', async () => {
  await using db = await open()
  await expect(put(db, 'a\0b')).rejects.toMatchObject({ code: 'invalid_input' })
})

test('processes that start at once on an empty database migrate it once and agree on its secrets', async () => {
  const name = `empty_${process.pid}`
  await admin.unsafe(`create database ${name}`)
  const url = database.url.replace(/[^/]*$/, name)
  const all = await Promise.all(Array.from({ length: 4 }, () => open({ url })))
  const applied = all.map(({ migrated }) => migrated.length).sort()
  expect(applied).toEqual([0, 0, 0, MIGRATIONS.length])
  const secrets = await Promise.all(all.map((db) => loadSecrets(db, systemClock)))
  for (const one of secrets) expect(one).toEqual(secrets[0] as (typeof secrets)[0])
  for (const db of all) await db[Symbol.asyncDispose]()
  await admin.unsafe(`drop database ${name} with (force)`)
}, 60_000)

test('a database of a newer version is refused in a sentence, and left as it is', async () => {
  await using newer = await testDatabase()
  const direct = new SQL(newer.url, { max: 1 })
  await direct.unsafe("insert into migrations values ('9999_later', 1)")
  await expect(open({ url: newer.url })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('newer version'),
  })
  await direct.close()
})

test('a database in another encoding is refused in a sentence', async () => {
  const name = `ascii_${process.pid}`
  await admin.unsafe(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
  const url = database.url.replace(/[^/]*$/, name)
  await expect(open({ url })).rejects.toMatchObject({
    message: expect.stringContaining("encoding 'UTF8'"),
  })
  await admin.unsafe(`drop database ${name} with (force)`)
})

test('an address that nobody answers at, or that refuses, is told in a sentence', async () => {
  const nobody = open({ url: 'postgres://beckon@127.0.0.1:1/beckon' })
  await expect(nobody).rejects.toMatchObject({ code: 'unavailable' })
  const unknown = open({ url: database.url.replace(/[^/]*$/, 'no_such_database') })
  await expect(unknown).rejects.toMatchObject({ code: 'conflict' })
})

test('of statements that went together the first that failed is told, and all are undone', async () => {
  await using db = await open()
  await put(db, 'taken')
  const row = (name: string) => ({ name, value: '', updatedAt: 1 })
  const failing = db.write((tx) =>
    together(
      tx.insert(settings).values(row('beside')).execute(),
      tx.insert(settings).values(row('taken')).execute(),
      tx.insert(settings).values(row('behind')).execute(),
    ),
  )
  const thrown = await failing.catch((error: Error) => error)
  expect(String((thrown as { cause?: { message?: string } }).cause?.message)).toContain('duplicate')
  await db.write((tx) => tx.insert(settings).values(row('after')))
  expect(await readSetting(db.read, 'beside')).toBeUndefined()
  expect(await readSetting(db.read, 'behind')).toBeUndefined()
  expect(await readSetting(db.read, 'after')).toBe('')
})
