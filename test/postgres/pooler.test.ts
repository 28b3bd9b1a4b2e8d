import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chownSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { eq } from 'drizzle-orm'
import { inspectServer } from '../../src/ask/health/database-checks.ts'
import { findQuestion, insertQuestion } from '../../src/ask/questions/model/store.ts'
import { openPostgres } from '../../src/platform/db/postgres/open.ts'
import { putSetting, readSetting } from '../../src/platform/db/settings-store.ts'
import { settings } from '../../src/platform/db/table.ts'
import { freePort } from '../support/free-port.ts'
import { unprivileged } from '../support/postgres-cluster.ts'
import { aQuestion } from '../support/question.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { type TestDatabase, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))
const withPooler = test.skipIf(PGBOUNCER === undefined)

let database: TestDatabase
let pooled: string
const opened = new AsyncDisposableStack()

/** pgbouncer in front of the database, two connections for all transactions. */
beforeAll(async () => {
  database = opened.use(await testDatabase())
  if (!PGBOUNCER) return
  const { hostname, port, pathname, username } = new URL(database.url)
  const folder = opened.use(tempFolder())
  const own = freePort()
  writeFileSync(
    join(folder.path, 'pgbouncer.ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  )
  const as = unprivileged()
  if (as) chownSync(folder.path, as.uid, as.gid)
  const child = Bun.spawn([PGBOUNCER, join(folder.path, 'pgbouncer.ini')], {
    ...as,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  opened.defer(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  pooled = database.url.replace(`:${port}/`, `:${own}/`)
  await until(() => answersAt(own))
})
afterAll(() => opened.disposeAsync())

async function answersAt(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })
    socket.end()
    return true
  } catch {
    return false
  }
}

withPooler('through a transaction pooler, with a direct way for changes, all works', async () => {
  await using a = await openPostgres({ url: pooled, listenUrl: database.url, pool: 8 })
  await using b = await openPostgres({ url: pooled, listenUrl: database.url, pool: 8 })
  const heard: string[] = []
  b.changes.on('question', undefined, (id) => heard.push(id))
  // Statements that one connection knows are used on another.
  const questions = Array.from({ length: 30 }, (_, i) => aQuestion(`q_${i}`, { key: `k${i}` }))
  await Promise.all(
    questions.map((one, i) =>
      (i % 2 ? a : b).write(
        async (tx) => {
          await insertQuestion(tx, one)
          tx.emit('question', one.id)
        },
        i < 20 ? { by: `${i % 7}` } : undefined,
      ),
    ),
  )
  for (const one of questions) {
    expect(await findQuestion(a.read, one.workspaceId, one.id)).toMatchObject({ id: one.id })
  }
  await until(() => questions.every(({ id }) => heard.includes(id)))

  await a.write((tx) => putSetting(tx, 'n', '0', 0))
  const add = (db: typeof a) =>
    db.write(async (tx) => {
      await tx.lock('n')
      const n = Number(await readSetting(tx, 'n'))
      await tx
        .update(settings)
        .set({ value: String(n + 1) })
        .where(eq(settings.name, 'n'))
    })
  await Promise.all(Array.from({ length: 20 }, (_, i) => add(i % 2 ? a : b)))
  expect(await readSetting(a.read, 'n')).toBe('20')
})

withPooler('a direct way to another database is refused, and nothing is made there', async () => {
  await using other = await testDatabase()
  await using sql = new SQL(other.url, { max: 1 })
  await sql.unsafe('drop schema public cascade; create schema public')
  const opening = openPostgres({ url: pooled, listenUrl: other.url, pool: 2 })
  const sentence = 'leads to another database'
  await expect(opening).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(sentence),
  })
  const report = await inspectServer({ url: pooled, listenUrl: other.url, pool: 2 })
  expect(report?.refusal).toContain(sentence)
  expect(await sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0)
})

withPooler('without a direct way it is refused in a sentence that names the setting', async () => {
  const opening = openPostgres({ url: pooled, listenUrl: undefined, pool: 2 })
  await expect(opening).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('BECKON_DATABASE_LISTEN_URL'),
  })
  const deaf = openPostgres({ url: pooled, listenUrl: pooled, pool: 2 })
  await expect(deaf).rejects.toMatchObject({ code: 'conflict' })
  // So does the doctor.
  for (const listenUrl of [undefined, pooled]) {
    const report = await inspectServer({ url: pooled, listenUrl, pool: 2 })
    expect(report?.refusal).toContain('BECKON_DATABASE_LISTEN_URL')
  }
})
