import { Database } from 'bun:sqlite'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../../src/platform/db/data-folder.ts'
import { DATABASE_FILE } from '../../src/platform/db/find-database.ts'
import { tempFolder } from './temp-folder.ts'

let bytes: Uint8Array | undefined

/**
 * Puts the database of a server that was never used into `folder`, and returns where it is. It is
 * migrated once for all worlds of a process: that took most of the time in which a small one begins.
 */
export function migratedDatabase(folder: string, name = DATABASE_FILE): string {
  bytes ??= migrated()
  const file = join(folder, name)
  writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 })
  return file
}

function migrated(): Uint8Array {
  using folder = tempFolder()
  const opened = openDataFolder(folder.path)
  using database = new Database(join(folder.path, DATABASE_FILE), { readonly: true })
  const all = database.serialize()
  void opened[Symbol.asyncDispose]()
  return all
}
