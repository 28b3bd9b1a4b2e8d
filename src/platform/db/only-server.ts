import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { giveToFolderOwner } from './folder-owner.ts'

const LOCK_FILE = 'serving.lock'
// The folder holds secrets: no other user of the machine may read it.
const OWNER_ONLY = 0o700

/**
 * Keeps `folder` for one server: a second one would answer people whom the first one's callers
 * never hear of. SQLite's lock is the system's, so it is gone with the process, however that ends.
 * Throws `conflict` while another process serves the folder.
 */
export function serveAlone(folder: string): Disposable {
  const lock = openLock(folder)
  return { [Symbol.dispose]: () => lock?.close() }
}

/** Whether a server has `folder` at this moment, wherever it listens. */
export function isServed(folder: string): boolean {
  try {
    using lock = new Database(join(folder, LOCK_FILE), { readonly: true })
    lock.query('select count(*) from sqlite_master').get()
    return false
  } catch (error) {
    return isBusy(error)
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
}

function openLock(folder: string): Database | undefined {
  let lock: Database | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
    const file = join(folder, LOCK_FILE)
    const isNew = !existsSync(file)
    lock = new Database(file, { create: true })
    if (isNew) giveToFolderOwner(file)
    lock.run('begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) throw taken(folder)
    // A folder that cannot be used says so itself, in its own words, when the database is opened.
    return undefined
  }
}

function taken(folder: string): Failure {
  return new Failure(
    'conflict',
    `Another Beckon server is using the data folder ${folder}; stop that one, or choose another folder with --data.`,
  )
}
