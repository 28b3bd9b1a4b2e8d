import { Database } from 'bun:sqlite'
import { readFileSync, writeFileSync } from 'node:fs'

const PAGE = 4_096

/**
 * Overwrites every page of an open database but the first, which says what kind of file it is: from
 * now on nothing can be read, as on a disk that fails while the server runs.
 */
export function spoilPages(path: string): void {
  using connection = new Database(path)
  connection.run('pragma wal_checkpoint(truncate)')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, PAGE))
  // A new first page makes the other connections forget what they have read.
  connection.run('pragma application_id = 1')
}
