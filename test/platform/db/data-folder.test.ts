import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { CAN_MOUNT, smallDisk } from '../../support/small-disk.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('nobody else on the machine reads the database, in a folder that everybody may look into too', async () => {
  using folder = tempFolder()
  chmodSync(folder.path, 0o755)
  const db = openDataFolder(folder.path)
  await db.write(async () => {})
  const open = readdirSync(folder.path).filter(
    (name) => (statSync(join(folder.path, name)).mode & 0o077) !== 0,
  )
  expect(readdirSync(folder.path)).toContain('beckon.db-wal')
  expect(open).toEqual([])
  await db[Symbol.asyncDispose]()
})

test.skipIf(!CAN_MOUNT)(
  'a folder on a full disk is refused in a sentence that says to free space',
  () => {
    using folder = tempFolder()
    const path = join(folder.path, 'disk')
    mkdirSync(path)
    using _disk = smallDisk(path)
    expect(() => writeFileSync(join(path, 'filler'), 'x'.repeat(4_000_000))).toThrow('ENOSPC')
    expect(() => openDataFolder(join(path, 'data'))).toThrow(/is full .*free space/)
  },
)
