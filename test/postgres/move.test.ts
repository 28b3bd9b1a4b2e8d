import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { openSqliteSide } from '../../src/platform/db/move/sqlite-side.ts'
import { beckon } from '../support/beckon.ts'
import { keptDatabase, keptNames } from '../support/kept-databases.ts'
import { PROGRAM } from '../support/program.ts'
import { serverProcess } from '../support/server-process.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TEST_POSTGRES, type TestDatabase, testDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(60_000)

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
const data = join(folder.path, 'data')
const file = join(data, 'beckon.db')

beforeAll(async () => {
  await Bun.write(file, keptDatabase('sqlite', keptNames('sqlite').at(-1) as string))
})

/** Every row of the database in `path`, by table. */
function everything(path: string) {
  using side = openSqliteSide(path, { readonly: true })
  return Object.fromEntries(side.tables().map((table) => [table.name, [...side.rows(table)]]))
}

async function rowsIn({ url }: TestDatabase): Promise<number> {
  await using sql = new SQL(url, { max: 1 })
  const [{ n }] = await sql`select count(*)::int as n from questions`
  return n
}

const move = (...args: string[]) => beckon(['migrate', ...args, '--data', data])

test.skipIf(!TEST_POSTGRES)('everything moves there and back, and can be repeated', async () => {
  await using database = await testDatabase()
  const { code, out, err } = await move('--to', database.url)
  expect([code, out]).toEqual([0, expect.stringContaining('checksums of every table agree')])
  expect(out + err).not.toContain('beckon@')
  const before = everything(file)

  const again = await move('--to', database.url)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('add --force')])
  const forced = await move('--to', database.url, '--force', '--json')
  const report = JSON.parse(forced.out) as { rows: number; tables: Array<{ name: string }> }
  expect(report.tables.map(({ name }) => name)).toEqual(Object.keys(before))
  expect(report.rows).toBe(Object.values(before).flat().length)

  const back = join(folder.path, 'back')
  const returned = await beckon(['migrate', '--from', database.url, '--data', back])
  expect([returned.code, returned.err]).toEqual([0, expect.any(String)])
  expect(everything(join(back, 'beckon.db'))).toEqual(before)
  expect(readdirSync(back).filter((name) => name.includes('moving'))).toEqual([])
})

test.skipIf(!TEST_POSTGRES)('a server that is up keeps both sides as they are', async () => {
  await using database = await testDatabase()
  {
    await using _server = await serverProcess(data, 0)
    const refused = await move('--to', database.url)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(data)])
  }
  const env = { BECKON_DATABASE_URL: database.url }
  const other = join(folder.path, 'scratch')
  await using server = await serverProcess(other, 0, { env })
  for (const way of ['--to', '--from']) {
    const refused = await move(way, database.url, ...(way === '--to' ? ['--force'] : []))
    expect([way, refused.code, refused.err]).toEqual([
      way,
      1,
      expect.stringContaining('A Beckon server (127.0.0.1) uses this PostgreSQL database'),
    ])
  }
  expect(await rowsIn(database)).toBe(0)
  await server.end('SIGTERM')
})

test.skipIf(!TEST_POSTGRES)('a copy that is killed has changed nothing', async () => {
  await using database = await testDatabase()
  const large = join(folder.path, 'large')
  await Bun.write(join(large, 'beckon.db'), Bun.file(file))
  using db = new Database(join(large, 'beckon.db'))
  db.run(`insert into settings (name, value, updated_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
    select 'filler-' || i, hex(randomblob(500)), i from n`)
  db.close()
  const args = ['migrate', '--to', database.url, '--data', large]
  const child = Bun.spawn([...PROGRAM, ...args], { stderr: 'pipe', stdout: 'ignore' })
  let output = ''
  void (async () => {
    for await (const chunk of child.stderr) output += new TextDecoder().decode(chunk)
  })()
  await until(() => output.includes('of'))
  child.kill('SIGKILL')
  await child.exited
  await using sql = new SQL(database.url, { max: 1 })
  const [{ n }] = await sql`select count(*)::int as n from settings`
  expect(n).toBe(0)
  const repeated = await beckon(args)
  expect([repeated.code, repeated.err]).toEqual([0, expect.any(String)])
})

test.skipIf(!TEST_POSTGRES)('what PostgreSQL cannot keep is replaced, and said', async () => {
  await using database = await testDatabase()
  const odd = join(folder.path, 'odd')
  await Bun.write(join(odd, 'beckon.db'), Bun.file(file))
  using db = new Database(join(odd, 'beckon.db'))
  db.run('insert into settings (name, value, updated_at) values (?, ?, 1)', [
    'odd',
    '"a\0b\ud83d\ude00"',
  ])
  db.close()
  const moved = await beckon(['migrate', '--to', database.url, '--data', odd])
  expect([moved.code, moved.err]).toEqual([0, expect.stringContaining('1 texts had a character')])
  await using sql = new SQL(database.url, { max: 1 })
  const [{ value }] = await sql`select value from settings where name = 'odd'`
  expect(value).toBe('"a\ufffdb\ud83d\ude00"')
})

test('wrong usage and a database that is away are one sentence each', async () => {
  const nobody = 'postgres://beckon:secret@127.0.0.1:1/beckon'
  for (const [args, code, sentence] of [
    [['--to', 'mysql://db/x'], 2, '--to'],
    [['--to', nobody, '--from', nobody], 2, 'two directions'],
    [['--force'], 2, '--to'],
    [['--to', nobody], 1, 'cannot be reached'],
    [['--from', nobody], 1, 'cannot be reached'],
  ] as const) {
    const refused = await move(...args)
    expect([args, refused.code, refused.err]).toEqual([
      args,
      code,
      expect.stringContaining(sentence),
    ])
    expect(refused.err.trim().split('\n')).toHaveLength(1)
    expect(refused.err).not.toContain('secret')
  }
  const missing = await beckon(['migrate', '--to', nobody, '--data', join(folder.path, 'none')])
  expect([missing.code, existsSync(join(folder.path, 'none'))]).toEqual([1, false])
})
