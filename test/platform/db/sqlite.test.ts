import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { settings } from '../../../src/platform/db/table.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a write is readable on the other connection as soon as it resolves', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  await db.write((tx) => tx.insert(settings).values({ name: 'a', value: '1', updatedAt: 5 }))
  expect(await db.read.select().from(settings)).toEqual([{ name: 'a', value: '1', updatedAt: 5 }])
})

test('a closure that throws is undone alone; its neighbours in the group are kept', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      db.write(async (tx) => {
        await tx.insert(settings).values({ name: `n${i}`, value: 'x', updatedAt: i })
        if (i % 4 === 0) throw new Error(`no ${i}`)
        return i
      }),
    ),
  )
  expect(outcomes.filter((o) => o.status === 'rejected')).toHaveLength(10)
  expect(await db.read.select().from(settings)).toHaveLength(30)
})

test('rings are heard after commit, and never for what was rolled back', async () => {
  using folder = tempFolder()
  await using db = openSqlite(join(folder.path, 'beckon.db'))
  const heard: string[] = []
  db.changes.on('question', undefined, (id) => heard.push(id))
  await db.write(async (tx) => tx.emit('question', 'kept'))
  await db
    .write(async (tx) => {
      tx.emit('question', 'lost')
      throw new Error('no')
    })
    .catch(() => {})
  expect(heard).toEqual(['kept'])
})

test('a full disk fails the group with one sentence, and the next write works again', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  await using db = openSqlite(path)
  await db.write((tx) => tx.insert(settings).values({ name: 'first', value: '1', updatedAt: 1 }))
  // SQLite's own limit on pages answers exactly like a disk without room.
  await db.orm.run('pragma max_page_count = 1')
  const big = 'x'.repeat(400_000)
  const refused = db.write((tx) =>
    tx.insert(settings).values({ name: 'big', value: big, updatedAt: 1 }),
  )
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  await db.orm.run('pragma max_page_count = 1000000')
  await db.write((tx) => tx.insert(settings).values({ name: 'next', value: '2', updatedAt: 1 }))
  const names = (await db.read.select().from(settings)).map((row) => row.name)
  expect(names).toEqual(['first', 'next'])
})

test('what was acknowledged is in the file that another process opens', async () => {
  using folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  await using db = openSqlite(path)
  await db.write((tx) => tx.insert(settings).values({ name: 'a', value: '1', updatedAt: 1 }))
  using other = new Database(path, { readonly: true })
  expect(other.query('select name from settings').all()).toEqual([{ name: 'a' }])
  expect(other.query('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
})

/** A disk of its own for `folder`. Throws where none may be mounted, as in many containers. */
function ownDisk(folder: string) {
  const run = (...command: string[]) => Bun.spawnSync(command).success
  const [image, path] = [join(folder, 'image'), join(folder, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, 16 * 1024 * 1024)
  mkdirSync(path)
  const isMounted = run('mkfs.ext4', '-q', image) && run('mount', '-o', 'loop', image, path)
  if (!isMounted) throw new Error('no disk was mounted')
  return {
    path,
    /** As the kernel does when it finds an error in the file system. */
    turnReadOnly: () => run('mount', '-o', 'remount,abort', path),
    [Symbol.dispose]: () => void run('umount', path),
  }
}

/** Whether `ownDisk` works here. */
function canMountLoop(): boolean {
  if (process.getuid?.() !== 0 || !Bun.which('mkfs.ext4')) return false
  using folder = tempFolder()
  try {
    using _disk = ownDisk(folder.path)
    return true
  } catch {
    return false
  }
}

test.skipIf(!canMountLoop())(
  'a disk that turns read-only under the database is named',
  async () => {
    using folder = tempFolder()
    using disk = ownDisk(folder.path)
    await using db = openSqlite(join(disk.path, 'beckon.db'))
    expect(disk.turnReadOnly()).toBe(true)
    const write = db.write((tx) =>
      tx.insert(settings).values({ name: 'a', value: 'x', updatedAt: 1 }),
    )
    const failure = await write.then(
      () => undefined,
      (error) => error,
    )
    expect(failure).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^The disk of the server is read-only; nothing was recorded\./,
      ),
    })
    expect(db.refusals().latest).toBe(failure)
  },
)
