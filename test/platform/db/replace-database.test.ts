import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { backUp, restore } from '../../../src/platform/db/backup.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { findDatabase } from '../../../src/platform/db/find-database.ts'
import { forgetLinks } from '../../../src/platform/db/replace-database.ts'
import { keptRows, killedFolder } from '../../support/killed-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const NOW = '2026-01-31T03:00:00.000Z'

async function freshBackup(parent: string): Promise<string> {
  const folder = join(parent, 'fresh')
  await openDataFolder(folder)[Symbol.asyncDispose]()
  const file = join(parent, 'fresh.db')
  backUp(folder, file, { replace: false })
  return file
}

test('what a restore replaces is kept in one file, with the rows that were only in its log', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  const oldFile = restore(folder, await freshBackup(temporary.path), NOW)
  expect(keptRows(join(folder, 'beckon.db'))).toBeUndefined()
  expect(keptRows(oldFile ?? '')).toBe(3)
  expect(readdirSync(folder).sort()).toEqual(
    ['beckon.db', 'beckon.db.before-restore-2026-01-31T030000.000Z', 'serving.lock'].sort(),
  )
})

test('a restore takes the log of its source along', async () => {
  using temporary = tempFolder()
  const source = await killedFolder(temporary.path)
  const target = join(temporary.path, 'target')
  restore(target, join(source, 'beckon.db'), NOW)
  expect(keptRows(join(target, 'beckon.db'))).toBe(3)
})

test('a database that cannot be opened is kept with its log', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  writeFileSync(join(folder, 'beckon.db'), '')
  const log = statSync(join(folder, 'beckon.db-wal')).size
  const oldFile = restore(folder, await freshBackup(temporary.path), NOW)
  expect(statSync(`${oldFile}-wal`).size).toBe(log)
  expect(findDatabase(folder).state).toBe('present')
  await openDataFolder(folder)[Symbol.asyncDispose]()
})

test('a database that another program has open is not replaced', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  const file = await freshBackup(temporary.path)
  using other = new Database(join(folder, 'beckon.db'))
  other.query('select * from kept').values()
  expect(() => restore(folder, file, NOW)).toThrow(
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining('has') }),
  )
  expect(other.query('select count(*) from kept').values()).toEqual([[3]])
  expect(readdirSync(folder).filter((name) => /part|before/.test(name))).toEqual([])
}, 20_000)

test('a link to the database stays one', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  const disk = join(temporary.path, 'disk')
  mkdirSync(disk)
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(disk, name))
  symlinkSync(join(disk, 'beckon.db'), join(folder, 'beckon.db'))
  const oldFile = restore(folder, await freshBackup(temporary.path), NOW)
  expect(keptRows(oldFile ?? '')).toBe(3)
  expect(keptRows(join(disk, 'beckon.db'))).toBeUndefined()
  expect(readdirSync(disk)).toEqual(['beckon.db'])
})

test('a restore that was cut off before its last step is said, and can be run again', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  const file = await freshBackup(temporary.path)
  copyFileSync(file, join(folder, 'beckon.db.replacing'))
  expect(() => openDataFolder(folder)).toThrow(/was cut off .*Run it again/)
  restore(folder, file, NOW)
  expect(findDatabase(folder).state).toBe('present')
})

test('a second name of the database, from a restore that was cut off, goes', async () => {
  using temporary = tempFolder()
  const folder = await killedFolder(temporary.path)
  const old = join(folder, 'beckon.db.before-restore-2025')
  copyFileSync(join(folder, 'beckon.db'), old)
  linkSync(join(folder, 'beckon.db'), join(folder, 'beckon.db.before-restore-2026'))
  forgetLinks(folder)
  expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([
    'beckon.db.before-restore-2025',
  ])
})
