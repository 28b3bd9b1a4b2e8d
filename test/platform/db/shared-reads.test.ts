import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenDb } from '../../../src/platform/db/database.ts'
import { settings } from '../../../src/platform/db/settings-table.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { tempFolder } from '../../support/temp-folder.ts'

async function names({ read }: OpenDb): Promise<string[]> {
  const rows = await read.select({ name: settings.name }).from(settings)
  return rows.map(({ name }) => name)
}
const put = (db: OpenDb, name: string, value = '1') =>
  db.write((tx) => tx.insert(settings).values({ name, value, updatedAt: 5 }))

test('reads of one turn see the same; the next turn sees what others wrote meanwhile', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  await using db = openSqlite(path)
  using other = new Database(path, { strict: true })
  expect(await names(db)).toEqual([])
  other.run("insert into settings values ('theirs', '1', 5)")
  expect(await names(db)).toEqual([])
  await Bun.sleep(1)
  expect(await names(db)).toEqual(['theirs'])
})

test('whoever hears of a write reads it, even if others read while it was made', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const seen: string[][] = []
  db.changes.on('question', undefined, async () => void seen.push(await names(db)))
  const written = db.write(async (tx) => {
    await tx.insert(settings).values({ name: 'ours', value: '1', updatedAt: 5 })
    tx.emit('question', 'q_1')
    expect(await names(db)).toEqual([])
  })
  await written
  expect(await names(db)).toEqual(['ours'])
  await Bun.sleep(1)
  expect(seen).toEqual([['ours']])
})

test('reads that never pause do not let the write-ahead log grow', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  await using db = openSqlite(path)
  const value = 'x'.repeat(200_000)
  for (let i = 0; i < 40; i++) {
    const reading = names(db)
    await db.write(async (tx) => {
      await tx.insert(settings).values({ name: `n${i}`, value, updatedAt: 5 })
      await names(db)
    })
    await reading
  }
  // SQLite starts it over after 4 MiB; 8 MB were written.
  expect(statSync(`${path}-wal`).size).toBeLessThan(6_000_000)
})

test('a read that fails ends nothing for the others', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  await put(db, 'a')
  const broken = async () => await db.orm.all('select * from nothing_here')
  await expect(broken()).rejects.toThrow()
  expect(await names(db)).toEqual(['a'])
  await put(db, 'b')
  expect(await names(db)).toEqual(['a', 'b'])
})
