import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { serveAlone } from '../../src/platform/db/only-server.ts'
import { beckon } from '../support/beckon.ts'
import { PROGRAM } from '../support/program.ts'
import { tempFolder } from '../support/temp-folder.ts'

async function names(data: string): Promise<string[]> {
  const { out } = await beckon(['key', 'list', '--json', '--data', data])
  return JSON.parse(out).map((token: { name: string }) => token.name)
}

const create = (data: string, name: string) =>
  beckon(['key', 'create', '--name', name, '--data', data])

test('a backup of an open database, restored, is what was there at its moment', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const file = join(folder.path, 'copy.db')
  await create(data, 'before')
  await using _open = openDataFolder(data)

  const result = await beckon(['backup', file, '--data', data])
  expect(result).toMatchObject({ code: 0, out: expect.stringContaining(`${file} is a backup of`) })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await create(data, 'after')

  const other = join(folder.path, 'other')
  expect(await beckon(['restore', file, '--data', other])).toMatchObject({ code: 0 })
  expect(await names(other)).toEqual(['before'])
  expect((await names(data)).sort()).toEqual(['after', 'before'])
})

test('a backup never replaces the database that it is of', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  await create(data, 'before')
  symlinkSync(data, join(folder.path, 'link'))
  const inode = () => statSync(join(data, 'beckon.db')).ino
  const before = inode()
  for (const file of ['data/beckon.db', 'data/beckon.db-wal', 'link/../link/beckon.db']) {
    const result = await beckon(['backup', join(folder.path, file), '--force', '--data', data])
    expect([file, result.code, result.out]).toEqual([file, 1, ''])
    expect(result.err).toContain('belongs to the database of')
  }
  expect(inode()).toBe(before)
  expect(await names(data)).toEqual(['before'])
  const beside = await beckon(['backup', join(data, 'copy.db'), '--data', data])
  expect(beside.code).toBe(0)
})

test('what a restore replaces is kept beside it, whole', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const file = join(folder.path, 'copy.db')
  await create(data, 'before')
  await beckon(['backup', file, '--data', data])
  await create(data, 'after')
  const { code, err } = await beckon(['restore', file, '--data', data])
  expect(code).toBe(0)
  expect(await names(data)).toEqual(['before'])
  const [oldFile = ''] = readdirSync(data).filter((name) =>
    /before-restore-[^-]+-\d\d-[^-]+$/.test(name),
  )
  expect(err).toContain(oldFile)
  using old = new Database(join(data, oldFile))
  const rows = old.query('select name from agent_tokens order by name').values()
  expect(rows.flat()).toEqual(['after', 'before'])
})

test('a folder that a server uses is not restored into', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const file = join(folder.path, 'copy.db')
  await create(data, 'before')
  await beckon(['backup', file, '--data', data])
  using _server = serveAlone(data)
  const refused = await beckon(['restore', file, '--data', data])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Another Beckon server') })
})

test('a backup replaces no file without --force, and needs a data folder', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const file = join(folder.path, 'mine.txt')
  await create(data, 'before')
  writeFileSync(file, 'mine')
  const refused = await beckon(['backup', file, '--data', data])
  const words = /^(?!.*Copying).*exists already/s
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(words) })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(await beckon(['backup', file, '--force', '--data', data])).toMatchObject({ code: 0 })
  const none = await beckon(['backup', join(folder.path, 'x'), '--data', join(folder.path, 'typo')])
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('no Beckon data folder') })
  const nowhere = join(folder.path, 'no', 'such', 'folder.db')
  expect(await beckon(['backup', nowhere, '--data', data])).toMatchObject({ code: 1 })
  expect(readdirSync(folder.path).sort()).toEqual(['data', 'mine.txt'])
})

test.each([
  ['nothing', undefined, 1, 'There is no file'],
  ['a text', 'hello '.repeat(200), 2, 'is not a database'],
  ['an empty file', '', 2, 'is not a database of Beckon'],
])('%s is not restored, and what is there stays', async (_what, text, code, says) => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const file = join(folder.path, 'copy.db')
  await create(data, 'before')
  if (text !== undefined) writeFileSync(file, text)
  const refused = await beckon(['restore', file, '--data', data])
  expect(refused).toMatchObject({ code, out: '', err: expect.stringContaining(says) })
  expect(await names(data)).toEqual(['before'])
})

test('a backup of a newer version, and a damaged one, are refused', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  const file = join(folder.path, 'copy.db')
  await create(data, 'before')
  await beckon(['backup', file, '--data', data])
  const whole = readFileSync(file)
  const newer = new Database(file)
  newer.run("insert into migrations (name, applied_at) values ('9999_future', 0)")
  newer.close()
  const refused = await beckon(['restore', file, '--data', data])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('newer version') })
  whole.fill(0x5a, 8192, whole.length - 4096)
  writeFileSync(file, whole)
  expect(await beckon(['restore', file, '--data', data])).toMatchObject({ code: 2, out: '' })
  expect(await names(data)).toEqual(['before'])
})

test('with PostgreSQL both say what to use there, and not the password', async () => {
  using folder = tempFolder()
  const env = { BECKON_DATABASE_URL: 'postgres://beckon:s3cr3t-PW@db.example.com/beckon' }
  const file = join(folder.path, 'copy.db')
  for (const [way, tool] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const { code, err } = await beckon([way, file, '--data', folder.path], { env })
    expect([code, err]).toEqual([2, expect.stringContaining(tool)])
    expect(err).toContain('PostgreSQL at db.example.com/beckon')
    expect(err).not.toContain('s3cr3t')
  }
  expect(readdirSync(folder.path)).toEqual([])
})

test('nobody else can read a backup while it is written', async () => {
  using folder = tempFolder()
  const data = join(folder.path, 'data')
  await create(data, 'before')
  {
    using db = new Database(join(data, 'beckon.db'))
    db.run('create table filler (bytes blob)')
    db.run(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) insert into filler select randomblob(1000) from n',
    )
  }
  const file = join(folder.path, 'copy.db')
  const child = Bun.spawn([...PROGRAM, 'backup', file, '--data', data], { stderr: 'ignore' })
  const part = () => statSync(`${file}.part`, { throwIfNoEntry: false })
  while (part() === undefined && child.exitCode === null) await Bun.sleep(1)
  const left = part()
  child.kill('SIGKILL')
  await child.exited
  expect((left?.mode ?? 0) & 0o777).toBe(0o600)
})
