import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SNAPSHOT_FOLDER } from '../config/config.ts'
import { accessWords } from './access-words.ts'
import { isDatabaseStart, journalPages, walDamage } from './sqlite-files.ts'

export const DATABASE_FILE = 'beckon.db'

/** Of a file beside the database: a restore has removed the old log, and not renamed this yet. */
export const REPLACING = '.replacing'

/** The state of a database; `unknown` if there are signs of one that cannot be told or used. */
export type FoundDatabase =
  | { state: 'absent' }
  | { state: 'present'; path: string; bytes: number }
  | { state: 'unknown'; reason: string; cure: string }

/** A restore or a move to a folder that is not finished; neither was ever the database. */
export const UNFINISHED = /^beckon\.db\.(part|moving)(-wal|-shm|-journal)?$/
const LOOKS = 3
const LOOK_AGAIN_MS = 25

/**
 * Finds the database of `folder`. It only reads, and opens nothing with SQLite, which deletes the
 * log of an empty file and ignores a log with a damaged header. Every command and the server ask
 * this before they open, create or clean anything.
 */
export function findDatabase(folder: string): FoundDatabase {
  return lookAgain(() => inFolder(folder))
}

/** As `findDatabase`, for a file such as a backup. */
export function findDatabaseFile(path: string): FoundDatabase {
  return lookAgain(() => atPath(path))
}

/**
 * Returns true if SQLite's files beside `path` show that something writes to it, or stopped in the
 * middle.
 */
export function isAlone(path: string): boolean {
  return ['-wal', '-shm', '-journal'].every((end) => sizeOf(databasePath(path) + end) === undefined)
}

/** Another process may create the database, or begin its log anew, between two looks at it. */
function lookAgain(look: () => FoundDatabase): FoundDatabase {
  let database = look()
  for (let i = 1; database.state === 'unknown' && i < LOOKS; i++) {
    Bun.sleepSync(LOOK_AGAIN_MS)
    database = look()
  }
  return database
}

function inFolder(folder: string): FoundDatabase {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    return noFolder(folder, codeOf(error))
  }
  const path = join(folder, DATABASE_FILE)
  if (sizeOf(databasePath(path) + REPLACING) !== undefined) return cutOff(folder)
  const database = atPath(path)
  if (database.state !== 'absent') return database
  const traces = tracesIn(folder, names)
  if (traces.length === 0) return database
  const is = names.includes(DATABASE_FILE) ? 'is empty' : 'is missing'
  return lost(path, is, traces)
}

function noFolder(folder: string, code: string): FoundDatabase {
  if (code === 'ENOENT' && isLink(folder)) return noTarget(folder)
  if (code === 'ENOENT' || code === 'ENOTDIR') return { state: 'absent' }
  return notReadable(`The data folder ${folder}`, folder, code)
}

/** Lists signs that the folder once had a database: files beside it, kept ones, snapshots. */
function tracesIn(folder: string, names: readonly string[]): string[] {
  const beside = names.filter(
    (name) =>
      name.startsWith(DATABASE_FILE) &&
      ![DATABASE_FILE, `${DATABASE_FILE}-journal`].includes(name) &&
      !UNFINISHED.test(name),
  )
  const snapshots = names.includes(SNAPSHOT_FOLDER) ? namesIn(join(folder, SNAPSHOT_FOLDER)) : []
  const newest = snapshots.filter((name) => name.startsWith(`${DATABASE_FILE}.`)).sort()
  return [...beside, ...newest.slice(-1).map((name) => join(SNAPSHOT_FOLDER, name))]
}

function atPath(path: string): FoundDatabase {
  let file: Stats
  try {
    file = statSync(path)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return notReadable(path, path, code)
    if (isLink(path)) return noTarget(path)
    return hasJournal(path) ? lost(path, 'is missing', [`${basename(path)}-journal`]) : absent
  }
  if (!file.isFile()) {
    return unknown(`${path} is not a file.`, 'Move it away, or name another folder with --data.')
  }
  const target = databasePath(path)
  const wal = `${target}-wal`
  try {
    if (file.size === 0) {
      const beside = ['-wal', '-shm'].filter((end) => sizeOf(target + end) !== undefined)
      if (hasJournal(target)) beside.push('-journal')
      return beside.length === 0
        ? absent
        : lost(
            path,
            'is empty',
            beside.map((end) => basename(target) + end),
          )
    }
    const damage = walDamage(wal)
    if (damage !== undefined) return damagedLog(path, wal, damage)
    if ((sizeOf(wal) ?? 0) === 0 && !isDatabaseStart(startOf(path))) {
      return unknown(
        `The file ${path} is not a database or is damaged (SQLITE_NOTADB).`,
        restoreWords(path),
      )
    }
  } catch (error) {
    return notReadable(path, path, codeOf(error))
  }
  return { state: 'present', path, bytes: file.size }
}

const absent: FoundDatabase = { state: 'absent' }

function unknown(reason: string, cure: string): FoundDatabase {
  return { state: 'unknown', reason, cure }
}

function lost(path: string, is: string, traces: readonly string[]): FoundDatabase {
  const files = traces.length === 1 ? `${traces[0]} is there` : `${traces.join(', ')} are there`
  const them = traces.length === 1 ? 'that file' : 'those files'
  return unknown(
    `${path} ${is}, but ${files}: this folder had a database.`,
    `Put ${basename(path)} back if you have it, or ${lowerFirst(restoreWords(path))} To begin without any data, move ${them} out of the folder.`,
  )
}

function cutOff(folder: string): FoundDatabase {
  return unknown(
    `A restore of ${folder} was cut off before its last step (${DATABASE_FILE}${REPLACING} is there).`,
    `Run it again: beckon restore FILE --data ${folder}. What was there before is kept beside it.`,
  )
}

function damagedLog(path: string, wal: string, damage: string): FoundDatabase {
  return unknown(
    `${wal}, which holds the latest writes of ${path}, is damaged (${damage}), and SQLite would drop them without a word.`,
    `Keep a copy of the folder, then ${lowerFirst(restoreWords(path))} To go on without those writes, move ${basename(wal)} out of the folder.`,
  )
}

function noTarget(path: string): FoundDatabase {
  return unknown(
    `${path} is a link to ${readlinkSync(path)}, which is not there.`,
    'Mount the disk that holds it, or correct the link.',
  )
}

function notReadable(what: string, path: string, code: string): FoundDatabase {
  const { who, cure } = accessWords(path, code)
  return unknown(`${what} cannot be read (${code})${who}.`, cure)
}

function restoreWords(path: string): string {
  return `Restore a backup or a snapshot: beckon restore FILE --data ${dirname(path)}.`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** A journal that would put pages back into the database; not that of a first start cut off. */
function hasJournal(path: string): boolean {
  return (journalPages(`${path}-journal`) ?? 0) > 0
}

function startOf(path: string): Uint8Array {
  const bytes = new Uint8Array(16)
  const handle = openSync(path, 'r')
  try {
    readSync(handle, bytes)
    return bytes
  } finally {
    closeSync(handle)
  }
}

/** The target of links that lead to the database: SQLite puts its files beside that. */
export function databasePath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? error)
}
