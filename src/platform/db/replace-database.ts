import { Database } from 'bun:sqlite'
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { syncToDisk } from '../sync-to-disk.ts'
import { copyDatabase, removeCopy } from './copy-database.ts'
import { DATABASE_FILE, databasePath, findDatabase, REPLACING } from './find-database.ts'
import { isBusy } from './storage-failure.ts'

// The log goes first: without the database nothing would take it for that of another.
const LOGS = ['-wal', '-journal', '-shm']
const BACKUP_PREFIX = `${DATABASE_FILE}.before-restore-`
const WAIT_MS = 5_000

/**
 * Replaces the database of `folder` by a checked copy of `source`, in one rename: wherever this is
 * cut off, the folder has the old database with all of its rows, or the new one. What was there
 * stays beside it, under the name that is returned. The caller holds the folder alone. Throws
 * `conflict` if another program has the database open, and what the file system and SQLite throw.
 */
export function replaceDatabase(folder: string, source: Database, now: string): string | undefined {
  const target = databasePath(join(folder, DATABASE_FILE))
  const part = `${target}.part`
  const backupPath = join(folder, BACKUP_PREFIX + now.replaceAll(':', ''))
  copyDatabase(source, part)
  try {
    using old = findDatabase(folder).state === 'present' ? takeOver(target) : undefined
    if (old || !hasLogs(target)) {
      const isKept = keep(target, backupPath)
      syncToDisk(folder)
      // Windows replaces no file that is open.
      if (process.platform === 'win32') old?.close()
      renameSync(part, target)
      syncToDisk(folder)
      rmSync(target + REPLACING, { force: true })
      return isKept ? backupPath : undefined
    }
    return replaceUnreadable(folder, { target, part, kept: backupPath })
  } catch (error) {
    removeCopy(part)
    forgetLinks(folder)
    throw error
  }
}

/**
 * Removes the names that a restore gave to a database which it then did not replace: a database
 * with two names has two logs.
 */
export function forgetLinks(folder: string): void {
  const target = databasePath(join(folder, DATABASE_FILE))
  for (const name of readdirSync(folder).filter((name) => name.startsWith(BACKUP_PREFIX))) {
    const end = LOGS.find((log) => name.endsWith(log)) ?? ''
    if (isSame(join(folder, name), target + end)) rmSync(join(folder, name))
  }
}

/**
 * Brings everything from the log into the file and removes the log, so that one rename replaces all
 * of the database, and keeps others out until it is closed. Undefined if the database is too
 * damaged for that.
 */
function takeOver(target: string): Database | undefined {
  const old = new Database(target, { readwrite: true, create: false, strict: true })
  try {
    old.run(`pragma busy_timeout = ${WAIT_MS}`)
    old.query('pragma journal_mode = delete').values()
    old.run('begin exclusive')
    return old
  } catch (error) {
    old.close()
    if (isBusy(error)) throw inUse(target)
    if (isDamage(error)) return undefined
    throw error
  }
}

/**
 * The old database cannot be opened, but its log may hold rows. It is kept before it goes; from the
 * moment at which it is gone, `REPLACING` says that the folder has no database until the rename.
 */
function replaceUnreadable(
  folder: string,
  { target, part, kept: backupPath }: { target: string; part: string; kept: string },
): string {
  for (const end of ['', ...LOGS]) keep(target + end, backupPath + end)
  const replacing = target + REPLACING
  renameSync(part, replacing)
  syncToDisk(folder)
  for (const end of LOGS) rmSync(target + end, { force: true })
  syncToDisk(folder)
  renameSync(replacing, target)
  syncToDisk(folder)
  return backupPath
}

/** A hard link, or a copy where the disk has none. Returns whether there was a file. */
function keep(path: string, copyPath: string): boolean {
  if (!existsSync(path)) return false
  try {
    linkSync(path, copyPath)
  } catch {
    copyFileSync(path, copyPath)
    syncToDisk(copyPath)
  }
  return true
}

function hasLogs(target: string): boolean {
  return LOGS.some((end) => existsSync(target + end))
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => lstatSync(path, { throwIfNoEntry: false }))
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(String((error as { code?: unknown }).code))
}

function inUse(target: string): Failure {
  return new Failure(
    'conflict',
    `Another program has ${target} open; end it, then try again. Nothing was changed.`,
  )
}
