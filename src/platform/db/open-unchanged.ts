import { constants, Database } from 'bun:sqlite'
import { pathToFileURL } from 'node:url'
import { isAlone } from './find-database.ts'

const BUSY_MS = 5_000

/**
 * Opens the database at `path` for reading, and leaves its folder as it is: SQLite would put two
 * files beside a database that nothing else has open, and could not on a disk that is read-only.
 */
export function openUnchanged(path: string): Database {
  const connection = isAlone(path)
    ? new Database(`${pathToFileURL(path)}?immutable=1`, FLAGS)
    : new Database(path, { readonly: true, strict: true })
  connection.run(`pragma busy_timeout = ${BUSY_MS}`)
  return connection
}

const FLAGS = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
