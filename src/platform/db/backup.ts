import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { syncToDisk } from '../sync-to-disk.ts'
import { cleanLine, cutText } from '../text.ts'
import { copyDatabase, removeCopy } from './copy-database.ts'
import { requireKnownFolder } from './data-folder.ts'
import { DATABASE_FILE } from './find-database.ts'
import { damageOf, inspectDatabase } from './inspect-folder.ts'
import { versionOf } from './migrate.ts'
import { serveAlone } from './only-server.ts'
import { openUnchanged } from './open-unchanged.ts'
import { replaceDatabase } from './replace-database.ts'

const BUSY_MS = 10_000
const DAMAGE_MAX = 120
const OWNER_ONLY_FOLDER = 0o700
const OWN_FILES = new Set(['', '-wal', '-shm', '-journal'].map((end) => DATABASE_FILE + end))

/**
 * Copies the database of `folder` into `file`, as of one moment, while a server may go on writing.
 * The copy is checked, and replaces an older file in one rename. `onBegin` is called when nothing speaks against it any
 * more. Returns the size of the file in bytes. Throws `not_found` without a database, `conflict` if
 * `file` exists and may not be replaced, or is of the database itself, `unavailable` if the
 * database is damaged, or the copy cannot be written.
 */
export function backUp(
  folder: string,
  file: string,
  { replace, onBegin }: { replace: boolean; onBegin?: () => void },
): number {
  requireKnownFolder(folder)
  refuseOwnFile(folder, file)
  if (existsSync(file) && !replace) {
    throw new Failure('conflict', `${file} exists already; choose another name, or add --force.`)
  }
  onBegin?.()
  const part = `${file}.part`
  try {
    using database = new Database(join(folder, DATABASE_FILE), { readonly: true, strict: true })
    database.run(`pragma busy_timeout = ${BUSY_MS}`)
    requireSound(database, folder)
    copyDatabase(database, part)
    renameSync(part, file)
    syncToDisk(dirname(resolve(file)))
    return statSync(file).size
  } catch (error) {
    removeCopy(part)
    if (isDamage(error)) throw damaged(folder, error.code)
    throw cannot(`The backup could not be written to ${file}`, error)
  }
}

/**
 * Puts the backup `file` into `folder`; the old database is kept beside it, under the name that is
 * returned. Throws `conflict` while a server uses the folder or if another version made the backup,
 * `invalid_input` if `file` is damaged or not a backup of Beckon.
 */
export function restore(folder: string, file: string, now: string): string | undefined {
  requireBackup(file)
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
  using _alone = serveAlone(folder)
  return restoreAlone(folder, file, now)
}

/** As `restore`, for a caller that holds the folder alone and made `file`, which is not checked. */
export function restoreAlone(folder: string, file: string, now: string): string | undefined {
  try {
    using source = openUnchanged(file)
    return replaceDatabase(folder, source, now)
  } catch (error) {
    throw cannot(`The backup could not be put into ${folder}`, error)
  }
}

/** A copy of a damaged database would lack rows, and would replace an older one that has them. */
function requireSound(database: Database, folder: string): void {
  const damage = damageOf(database)
  if (damage === undefined) return
  throw damaged(folder, damage)
}

function damaged(folder: string, damage: string): Failure {
  return new Failure(
    'unavailable',
    `The database of ${folder} is damaged (${cutText(cleanLine(damage), DAMAGE_MAX)}), so no backup of it was made, and older ones stay as they are. Restore one: beckon restore FILE --data ${folder}.`,
  )
}

/** A server would go on writing to the file that the copy replaced, and all of that would be lost. */
function refuseOwnFile(folder: string, file: string): void {
  const beside = statSync(dirname(resolve(file)), { throwIfNoEntry: false })
  const own = statSync(folder)
  if (beside?.ino !== own.ino || beside.dev !== own.dev) return
  if (!OWN_FILES.has(basename(file).toLowerCase())) return
  throw new Failure(
    'conflict',
    `${file} belongs to the database of ${folder} itself; choose another name.`,
  )
}

function requireBackup(file: string) {
  const database = inspectDatabase(file, Number.POSITIVE_INFINITY)
  if (database.state === 'absent') {
    if (!existsSync(file)) throw new Failure('not_found', `There is no file ${file}.`)
    throw new Failure('invalid_input', `${file} is empty: it is not a database of Beckon.`)
  }
  if (database.state === 'unknown') {
    throw new Failure('invalid_input', `${database.reason} ${database.cure}`)
  }
  if (database.state === 'unreadable') {
    throw new Failure('invalid_input', `${file} is not a database (${database.code}).`)
  }
  if (database.damage) throw new Failure('invalid_input', `${file} is damaged: ${database.damage}`)
  if (!database.isOfBeckon) {
    throw new Failure('invalid_input', `${file} is not a database of Beckon.`)
  }
  if (database.foreign.length > 0) {
    const { version, cure } = versionOf(database.foreign)
    throw new Failure('conflict', `${file} was made by ${version}; nothing was restored. ${cure}`)
  }
}

function isDamage(error: unknown): error is { code: string } {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))
}

function cannot(what: string, error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: unknown; message?: string }
  return new Failure('unavailable', `${what} (${String(code ?? message)}).`, { cause: error })
}
