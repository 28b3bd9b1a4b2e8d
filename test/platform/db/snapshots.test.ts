import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { restore } from '../../../src/platform/db/backup.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { isSnapshotDue, newestSnapshot, takeSnapshot } from '../../../src/platform/db/snapshots.ts'
import { keptRows, killedFolder } from '../../support/killed-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DAY = 86_400_000

async function world(parent: string, keep = 2) {
  const dataFolder = await killedFolder(parent)
  return { dataFolder, snapshots: { keep, folder: join(dataFolder, 'snapshots') } }
}

test('the newest snapshots are kept, other files stay, and the newest is put back whole', async () => {
  using temporary = tempFolder()
  const where = await world(temporary.path)
  const { folder } = where.snapshots
  mkdirSync(folder)
  writeFileSync(join(folder, 'mine.db'), 'mine')
  const now = Date.now()
  for (let day = 0; day < 4; day++) takeSnapshot(where, now + day * DAY)
  expect(readdirSync(folder)).toHaveLength(3)
  expect(readdirSync(folder)).toContain('mine.db')
  const target = join(temporary.path, 'target')
  restore(target, newestSnapshot(where), '2026-01-31T03:00:00.000Z')
  expect(keptRows(join(target, 'beckon.db'))).toBe(3)
})

test('of a damaged database no snapshot is made, and the older ones stay', async () => {
  using temporary = tempFolder()
  const where = await world(temporary.path, 1)
  const { path } = takeSnapshot(where, Date.now())
  writeFileSync(join(where.dataFolder, 'beckon.db'), '')
  expect(() => takeSnapshot(where, Date.now() + DAY)).toThrow('is empty')
  expect(
    readdirSync(where.snapshots.folder).map((name) => join(where.snapshots.folder, name)),
  ).toEqual([path])
})

test('one is due after three each night, not for a new database, nor put off by a clock that was ahead', async () => {
  using temporary = tempFolder()
  const dataFolder = join(temporary.path, 'data')
  await openDataFolder(dataFolder)[Symbol.asyncDispose]()
  const where = { dataFolder, snapshots: { keep: 3, folder: join(dataFolder, 'snapshots') } }
  const now = Date.now()
  const night = new Date(now)
  night.setHours(27, 0, 0, 0)
  const next = night.getTime()
  expect(isSnapshotDue(where, now)).toBe(false)
  expect(isSnapshotDue(where, next)).toBe(true)
  takeSnapshot(where, next + 400 * DAY)
  expect(isSnapshotDue(where, next)).toBe(true)
  takeSnapshot(where, next)
  expect(isSnapshotDue(where, next + 1)).toBe(false)
  expect(isSnapshotDue(where, next + DAY + 2 * 3_600_000)).toBe(true)
})
