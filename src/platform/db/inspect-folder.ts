import type { Database } from 'bun:sqlite'
import { statfsSync, statSync } from 'node:fs'
import { type FoundDatabase, findDatabase, findDatabaseFile, isAlone } from './find-database.ts'
import { currentNames, isOfBeckon } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { openUnchanged } from './open-unchanged.ts'
import { writeRefusal } from './write-refusal.ts'

/** The state of a data folder; inspecting it changes nothing. */
export type FolderReport = {
  path: string
  exists: boolean
  /** Why nothing can be written there (`EROFS`, …); undefined if it can. */
  refusal: string | undefined
  /** Other users of the machine may read the folder. */
  openToOthers: boolean
  freeBytes: number | undefined
  database: DatabaseReport
}

export type DatabaseReport =
  | { state: 'absent' }
  | { state: 'unknown'; reason: string; cure: string }
  | { state: 'unreadable'; code: string }
  | {
      state: 'read'
      path: string
      bytes: number
      /**
       * The damage that SQLite reports; undefined if there is none, or if the database was too
       * large to check.
       */
      damage: string | undefined
      checked: boolean
      /** True if a version of Beckon created the database. */
      isOfBeckon: boolean
      /** Migrations of this program that it lacks. */
      missing: string[]
      /** Migrations that this program does not know. */
      foreign: string[]
    }

/** `checkUpTo`: the pages of a database are checked up to this many bytes. */
export function inspectFolder(path: string, checkUpTo: number): FolderReport {
  const stats = statOf(path)
  const exists = stats?.isDirectory() ?? false
  return {
    path,
    exists,
    refusal: exists ? writeRefusal(path) : undefined,
    openToOthers: exists && process.platform !== 'win32' && ((stats?.mode ?? 0) & 0o077) !== 0,
    freeBytes: exists ? freeBytes(path) : undefined,
    database: inspect(findDatabase(path), checkUpTo),
  }
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** Returns the free bytes on the disk of a folder; undefined if the system does not say. */
export function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** The content of a file that may be a database; `checkUpTo` as for the folder. */
export function inspectDatabase(path: string, checkUpTo: number): DatabaseReport {
  return inspect(findDatabaseFile(path), checkUpTo)
}

function inspect(database: FoundDatabase, checkUpTo: number): DatabaseReport {
  if (database.state !== 'present') return database
  const wasAlone = isAlone(database.path)
  const report = read(database, checkUpTo)
  const isSound = report.state === 'read' && report.damage === undefined
  // A server that began to write meanwhile makes what was read look damaged.
  return isSound || isAlone(database.path) === wasAlone ? report : read(database, checkUpTo)
}

function read(
  { path, bytes }: Extract<FoundDatabase, { state: 'present' }>,
  checkUpTo: number,
): DatabaseReport {
  try {
    using connection = openUnchanged(path)
    const checked = bytes <= checkUpTo
    const damage = checked ? damageOf(connection) : undefined
    return { state: 'read', path, bytes, checked, damage, ...migrationsOf(connection) }
  } catch (error) {
    return { state: 'unreadable', code: String((error as { code?: unknown }).code ?? 'unknown') }
  }
}

/** Returns the faults that SQLite finds in the pages, rows and indexes of a database. */
export function damageOf(connection: Database): string | undefined {
  const [row] = connection.query('pragma integrity_check(1)').values()
  const verdict = String(row?.[0] ?? 'no answer')
  return verdict === 'ok' ? undefined : verdict
}

export function migrationsOf(connection: Database) {
  const names = MIGRATIONS.map(({ name }) => name)
  const applied = appliedTo(connection)
  return {
    isOfBeckon: isOfBeckon(applied),
    missing: names.filter((name) => !applied.has(name)),
    foreign: [...applied].filter((name) => !names.includes(name)),
  }
}

function appliedTo(connection: Database): Set<string> {
  const table = connection.query("select 1 from sqlite_master where name = 'migrations'").values()
  if (table.length === 0) return new Set()
  const rows = connection.query('select name from migrations').values()
  return currentNames(rows.map(([name]) => String(name)))
}
