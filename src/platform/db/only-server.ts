import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { giveToFolderOwner } from './folder-owner.ts'

const LOCK_FILE = 'serving.lock'
// The folder holds secrets, so no other user of the machine may read it.
const OWNER_ONLY = 0o700

/**
 * Reserves `folder` for one server: a second one would answer people without the callers of the
 * first one knowing. SQLite's lock belongs to the system, so it ends with the process in any case.
 * Throws `conflict` while another process serves the folder.
 */
export function serveAlone(folder: string): Disposable {
  const lock = openLock(folder)
  return { [Symbol.dispose]: () => lock?.close() }
}

/** Whether a server uses `folder` now, wherever it listens. */
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
    // If the folder cannot be used, opening the database reports that.
    return undefined
  }
}

function taken(folder: string): Failure {
  return new Failure(
    'conflict',
    `Another Beckon server is using the data folder ${folder}; stop that one, or choose another folder with --data.`,
  )
}
