import { expect, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, restore } from '../../../src/platform/db/backup.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { serveAlone } from '../../../src/platform/db/only-server.ts'
import { giveToFolderOwner } from '../../../src/platform/folder-owner.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SERVICE = 65_534
const isRoot = process.getuid?.() === 0

function foreignFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  chownSync(folder, SERVICE, SERVICE)
  return folder
}

const owners = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]))

test.skipIf(!isRoot)(
  'what root makes in the folder of a service belongs to the service',
  async () => {
    using temp = tempFolder()
    const folder = foreignFolder(temp.path, 'first')
    const db = openDataFolder(folder)
    await db.write(async () => {})
    using _alone = serveAlone(folder)
    expect(owners(folder)).toEqual({
      'beckon.db': SERVICE,
      'beckon.db-shm': SERVICE,
      'beckon.db-wal': SERVICE,
      'serving.lock': SERVICE,
      'serving.lock-journal': SERVICE,
    })
    await db[Symbol.asyncDispose]()

    const backup = join(temp.path, 'backup.db')
    backUp(folder, backup, { replace: false })
    expect(statSync(backup).uid).toBe(0)
    const second = foreignFolder(temp.path, 'second')
    restore(second, backup, '2026-01-31T00:00:00.000Z')
    expect(owners(second)).toEqual({ 'beckon.db': SERVICE, 'serving.lock': SERVICE })
  },
)

test.skipIf(!isRoot)('a link that a service has put there gives it nothing of others', () => {
  using temp = tempFolder()
  const ours = join(temp.path, 'ours')
  writeFileSync(ours, '')
  const link = join(foreignFolder(temp.path, 'theirs'), 'beckon.db')
  symlinkSync(ours, link)
  giveToFolderOwner(link)
  expect(statSync(ours).uid).toBe(0)
})
