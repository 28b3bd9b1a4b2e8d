import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { giveToFolderOwner } from '../folder-owner.ts'
import { accessWords } from './access-words.ts'
import type { OpenDb } from './database.ts'
import { DATABASE_FILE, findDatabase } from './find-database.ts'
import { openSqlite } from './sqlite.ts'

// The folder holds secrets, so no other user of the machine may read it.
const OWNER_ONLY = 0o700
// The file is private too, in case another user made the folder readable for all.
const OWNER_ONLY_FILE = 0o600

/**
 * Opens the database in `folder`; both are created and migrated if necessary. Throws `unavailable`
 * in one sentence if the folder cannot be used, or if it is not known whether it has a database,
 * `conflict` if another version has used it.
 */
export function openDataFolder(folder: string): OpenDb {
  isKnownFolder(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const file = join(folder, DATABASE_FILE)
    // SQLite gives the files beside it the same mode.
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', OWNER_ONLY_FILE))
      giveToFolderOwner(file)
    }
    return openSqlite(file)
  } catch (error) {
    if (error instanceof Failure) throw error
    const code = (error as { code?: unknown }).code
    if (typeof code !== 'string') throw error
    throw new Failure('unavailable', refusal(folder, code), { cause: error })
  }
}

/**
 * Returns true if a server, `beckon user add` or `beckon key create` has used this folder. Throws
 * `unavailable`, with the reason and what to do, if that cannot be determined.
 */
export function isKnownFolder(folder: string): boolean {
  const database = findDatabase(folder)
  if (database.state !== 'unknown') return database.state === 'present'
  throw new Failure('unavailable', `${database.reason} Nothing was changed. ${database.cure}`)
}

/** Throws `not_found` for a folder that has never been used, and as `isKnownFolder` does. */
export function requireKnownFolder(folder: string): void {
  if (isKnownFolder(folder)) return
  throw new Failure(
    'not_found',
    `There is no Beckon data folder at ${folder} (it has no ${DATABASE_FILE}); name the server's folder with --data or BECKON_DATA, or its PostgreSQL with BECKON_DATABASE_URL.`,
  )
}

/**
 * As `openDataFolder`, for callers that need existing data: nothing is created. Throws as
 * `requireKnownFolder` does, too.
 */
export function openKnownFolder(folder: string): OpenDb {
  requireKnownFolder(folder)
  return openDataFolder(folder)
}

function refusal(folder: string, code: string): string {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return `The database in ${folder} is held by another program; try again shortly.`
  }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    return `The file ${join(folder, DATABASE_FILE)} is not a database or is damaged (${code}); restore a backup: beckon restore FILE --data ${folder}.`
  }
  if (code === 'SQLITE_ERROR') {
    return `The file ${join(folder, DATABASE_FILE)} is a database of another program; choose another folder with --data.`
  }
  if (/^(EEXIST|ENOTDIR)$/.test(code)) {
    return `The data folder ${folder} cannot be made, because a file is in its place; choose another with --data.`
  }
  // SHMSIZE: the file beside the database could not grow.
  if (/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(code)) {
    return `The disk of the data folder ${folder} is full (${code}); free space, or choose another with --data.`
  }
  const { who, cure } = accessWords(folder, code)
  return `The data folder ${folder} cannot be written to (${code})${who}. ${cure}`
}
