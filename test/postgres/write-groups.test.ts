import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { eq, sql } from 'drizzle-orm'
import { insertQuestion } from '../../src/ask/questions/model/store.ts'
import { questions } from '../../src/ask/questions/model/table.ts'
import type { Db, OpenDb, Tx } from '../../src/platform/db/database.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { readSetting } from '../../src/platform/db/settings-store.ts'
import { settings } from '../../src/platform/db/table.ts'
import { aQuestion } from '../support/question.ts'
import { until } from '../support/until.ts'
import { race, type TwoProcesses, twoProcesses } from './two-processes.ts'

let two: TwoProcesses
let admin: SQL
/** The sizes of the groups that were committed here. */
let groups: number[] = []

beforeAll(async () => {
  two = await twoProcesses()
  admin = new SQL(two.url, { max: 2 })
  two.here.onCommit((_, writes) => groups.push(writes))
})
afterEach(async () => {
  groups = []
  await admin.unsafe('delete from settings')
  await admin.unsafe('delete from questions')
})
afterAll(async () => {
  await admin.close()
  await two[Symbol.asyncDispose]()
})

const row = (name: string, value = 'v') => ({ name, value, updatedAt: 1 })
const put = (db: Db, name: string) =>
  db.write((tx) => tx.insert(settings).values(row(name)), { by: name })
const names = async () => {
  const rows = await two.here.read.select({ name: settings.name }).from(settings)
  return rows.map(({ name }) => name).sort()
}
const outcomes = async (all: Array<Promise<unknown>>) =>
  (await Promise.allSettled(all)).map(({ status }) => status)

test('writes that come together are committed together, and each gets its own result', async () => {
  const write = (n: number) =>
    two.here.write(
      async (tx) => {
        const [stored] = await tx
          .insert(settings)
          .values(row(`n${n}`))
          .returning()
        await tx
          .update(settings)
          .set({ value: `${n}` })
          .where(eq(settings.name, `n${n}`))
        return stored?.name
      },
      { by: `${n}` },
    )
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)))
  expect(results).toEqual(Array.from({ length: 20 }, (_, n) => `n${n}`))
  expect(groups).toEqual([20])
  expect(await readSetting(two.here.read, 'n7')).toBe('7')
  expect(await names()).toHaveLength(20)
})

test('one that throws is undone alone, and so is one that the database refuses', async () => {
  await put(two.here, 'taken')
  const throwing = two.here.write(
    async (tx) => {
      await tx.insert(settings).values(row('thrown'))
      throw new Error('no')
    },
    { by: 'c' },
  )
  const all = [put(two.here, 'a'), throwing, put(two.here, 'taken'), put(two.here, 'b')]
  expect(await outcomes(all)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  await expect(throwing).rejects.toThrow('no')
  expect(await names()).toEqual(['a', 'b', 'taken'])
})

test('of a group whose commit fails only the one at fault is refused', async () => {
  await admin
    .unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$;
    create constraint trigger refuse_at_commit after insert on settings
      deferrable initially deferred
      for each row when (new.name = 'bad') execute function refuse();
  `)
    .simple()
  try {
    const all = ['a', 'bad', 'b'].map((name) => put(two.here, name))
    expect(await outcomes(all)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await names()).toEqual(['a', 'b'])
  } finally {
    await admin.unsafe('drop trigger refuse_at_commit on settings')
  }
})

test('a commit whose reply never came says to each that its outcome is unknown', async () => {
  await admin
    .unsafe(`
    create function wait_long() returns trigger language plpgsql as
      $$ begin perform pg_sleep(30); return null; end $$;
    create constraint trigger slow_commit after insert on settings deferrable initially deferred
      for each row when (new.name = 'slow') execute function wait_long();
  `)
    .simple()
  const heard: string[] = []
  const off = two.here.changes.on('question', undefined, (id) => heard.push(id))
  let runs = 0
  const writing = ['a', 'slow', 'b'].map((name) =>
    two.here.write(
      async (tx) => {
        runs++
        tx.emit('question', name)
        await tx.insert(settings).values(row(name))
      },
      { by: name },
    ),
  )
  const settled = Promise.allSettled(writing)
  const inCommit = () =>
    admin.unsafe("select pid from pg_stat_activity where query = 'commit' and state = 'active'")
  await until(async () => (await inCommit()).length > 0)
  const [{ pid }] = await inCommit()
  process.kill(pid, 'SIGTERM')
  for (const one of await settled) {
    const { reason } = one as PromiseRejectedResult
    expect(reason.code).toBe('unavailable')
    expect(reason.message).toContain('recorded or not')
  }
  off()
  // Listeners look, because the writes may be stored; none of them ran again.
  expect(heard.sort()).toEqual(['a', 'b', 'slow'])
  expect(runs).toBe(3)
  await admin.unsafe('drop trigger slow_commit on settings')
})

test('a server that is frozen fails each of a group once, at the deadline', async () => {
  await using own = await openPostgres({
    url: two.url,
    listenUrl: undefined,
    pool: 2,
    deadlineMs: 1_500,
  })
  await put(own, 'before')
  const rows: Array<{ pid: number }> = await admin.unsafe(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'beckon'",
  )
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  let runs = 0
  try {
    const all = ['a', 'b', 'c'].map((name) =>
      own.write(
        async (tx) => {
          runs++
          await tx.insert(settings).values(row(name))
        },
        { by: name },
      ),
    )
    for (const one of await Promise.allSettled(all)) {
      expect((one as PromiseRejectedResult).reason).toMatchObject({ code: 'unavailable' })
    }
    expect(runs).toBe(3)
    expect(own.refusals().count).toBe(3)
  } finally {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT')
  }
})

test('changes are told after the commit, and none of one that was undone', async () => {
  const seen = new Map<string, unknown>()
  const off = two.here.changes.on('question', undefined, (id) => {
    seen.set(id, admin.unsafe('select name from settings where name = $1', [id]).values())
  })
  const emitting = (name: string, fails = false) =>
    two.here.write(
      async (tx) => {
        tx.emit('question', name)
        await tx.insert(settings).values(row(name))
        if (fails) throw new Error('no')
      },
      { by: name },
    )
  await outcomes([emitting('a'), emitting('b', true), emitting('c')])
  off()
  expect([...seen.keys()].sort()).toEqual(['a', 'c'])
  for (const [name, stored] of seen) expect([...((await stored) as unknown[])]).toEqual([[name]])
})

/** Stores a row if there are fewer than three. */
async function amongThree(tx: Tx, name: string) {
  await tx.lock('three')
  const rows = await tx.select().from(settings)
  if (rows.length >= 3) throw new Error('full')
  await tx.insert(settings).values(row(name))
}

test('a limit that is read under a lock holds among a hundred writes of one process', async () => {
  const all = Array.from({ length: 100 }, (_, n) =>
    two.here.write((tx) => amongThree(tx, `n${n}`), { by: `${n}` }),
  )
  const results = await outcomes(all)
  expect(results.filter((status) => status === 'fulfilled')).toHaveLength(3)
  expect(await names()).toHaveLength(3)
})

test('a limit that is read under a lock holds among a hundred writes of two processes', async () => {
  const results = await race(two, 100, async (db, n) => {
    await db.write((tx) => amongThree(tx, `n${n}`), { by: `${n}` })
    return 'stored'
  })
  expect(results.filter((one) => one === 'stored')).toHaveLength(3)
  expect(await names()).toHaveLength(3)
})

test('locks that are taken in opposite orders keep nobody waiting for ever', async () => {
  const both = (db: OpenDb, first: string, second: string, n: number) =>
    db.write(
      async (tx) => {
        await tx.lock(first)
        await tx.lock(second)
        await tx.insert(settings).values(row(`n${n}`))
      },
      { by: `${n}` },
    )
  await race(two, 40, (db, n) => (n % 4 < 2 ? both(db, 'x', 'y', n) : both(db, 'y', 'x', n)))
  expect(await names()).toHaveLength(40)
})

test('writes of one name run one after the other', async () => {
  await put(two.here, 'count')
  const add = () =>
    two.here.write(
      async (tx) => {
        const [before] = await tx.select().from(settings)
        await tx.update(settings).set({ updatedAt: (before?.updatedAt ?? 0) + 1 })
      },
      { by: 'count' },
    )
  await Promise.all(Array.from({ length: 50 }, add))
  expect((await two.here.read.select().from(settings))[0]?.updatedAt).toBe(51)
})

test('a hundred questions with one key at once over two processes are one', async () => {
  const results = await race(two, 100, (db, n) => {
    const question = aQuestion(`n${n}`, { key: 'the same' })
    return db.write((tx) => insertQuestion(tx, question), { by: 'token' })
  })
  expect(results.filter((isNew) => isNew === true)).toHaveLength(1)
  expect(results.filter((isNew) => isNew === false)).toHaveLength(99)
  expect(await two.here.read.select({ id: questions.id }).from(questions)).toHaveLength(1)
})

test('a row that somebody else holds holds up only the write that needs it', async () => {
  await put(two.here, 'held')
  const free = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = two.there.write(async (tx) => {
    await tx.update(settings).set({ value: 'theirs' }).where(eq(settings.name, 'held'))
    held.resolve()
    await free.promise
  })
  await held.promise
  const waiting = two.here.write(
    (tx) =>
      tx
        .update(settings)
        .set({ value: sql`${settings.value} || ', ours'` })
        .where(eq(settings.name, 'held')),
    { by: 'held' },
  )
  await Promise.all([put(two.here, 'a'), put(two.here, 'z')])
  expect(await names()).toEqual(['a', 'held', 'z'])
  free.resolve()
  await Promise.all([holding, waiting])
  expect(await readSetting(two.here.read, 'held')).toBe('theirs, ours')
})

test('rows that groups of two processes take in opposite orders are all counted', async () => {
  for (const name of ['p', 'q', 'r', 's']) await put(two.here, name)
  const add = (db: OpenDb, by: string, name: string) =>
    db.write(
      (tx) =>
        tx
          .update(settings)
          .set({ updatedAt: sql`${settings.updatedAt} + 1` })
          .where(eq(settings.name, name)),
      { by },
    )
  const order = ['p', 'q', 'r', 's']
  await race(two, 80, (db, n) => {
    const at = Math.floor(n / 2) % 4
    return add(db, `${at}`, (db === two.here ? order[at] : order[3 - at]) as string)
  })
  const rows = await two.here.read.select().from(settings)
  expect(rows.map(({ updatedAt }) => updatedAt)).toEqual([21, 21, 21, 21])
})

test('closing finishes the writes that are waiting', async () => {
  const own = await openPostgres({ url: two.url, listenUrl: undefined, pool: 2 })
  const all = Array.from({ length: 30 }, (_, n) => put(own, `n${n}`))
  await own[Symbol.asyncDispose]()
  expect(new Set(await outcomes(all))).toEqual(new Set(['fulfilled']))
  expect(await names()).toHaveLength(30)
})

test('reads that are the same and at once see what was written before each of them', async () => {
  await put(two.here, 'n')
  const read = async () => (await two.here.read.select().from(settings))[0]?.updatedAt ?? 0
  const seen = Array.from({ length: 20 }, async (_, n) => {
    await Bun.sleep(n % 5)
    await two.there.write((tx) =>
      tx.update(settings).set({ updatedAt: sql`${settings.updatedAt} + 1` }),
    )
    const before = Number((await admin.unsafe('select updated_at from settings'))[0].updated_at)
    return { before, read: await read() }
  })
  for (const { before, read } of await Promise.all(seen))
    expect(read).toBeGreaterThanOrEqual(before)
})
