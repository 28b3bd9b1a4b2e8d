import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../src/db/data-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'

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
