import { Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { giveToFolderOwner } from '../folder-owner.ts'
import { syncToDisk } from '../sync-to-disk.ts'
import { damageOf, migrationsOf } from './inspect-folder.ts'
import { migrate } from './migrate.ts'

// It contains hashed tokens, questions and the private push key.
const OWNER_ONLY = 0o600
const BESIDE = ['', '-journal', '-wal', '-shm']

/**
 * Copies all that `source` holds as of one moment, with its log, into the new file `path`, and
 * checks the copy as a server would find it. A file of that name, a copy that was cut off, is
 * removed before, and after an error. Throws `unavailable` if the copy is not what `source` holds,
 * and what SQLite throws if `source` is damaged or the disk is full.
 */
export function copyDatabase(source: Database, path: string): void {
  try {
    removeCopy(path)
    // Only the owner can read the copy from its first byte, also if this process is killed meanwhile.
    closeSync(openSync(path, 'wx', OWNER_ONLY))
    giveToFolderOwner(path)
    const before = countRows(source)
    const version = dataVersion(source)
    source.query('vacuum into ?').run(path)
    // While others write, the rows of that moment cannot be counted any more.
    const isQuiet = dataVersion(source) === version
    checkCopy(path, isQuiet ? before : undefined)
    syncToDisk(path)
  } catch (error) {
    removeCopy(path)
    throw error
  }
}

export function removeCopy(path: string): void {
  for (const end of BESIDE) rmSync(path + end, { force: true })
}

/** Throws `unavailable` unless a server could open the copy and it has these numbers of rows. */
function checkCopy(path: string, expected: ReadonlyMap<string, number> | undefined): void {
  using copy = new Database(path, { readwrite: true, create: false, strict: true })
  const damage = damageOf(copy)
  if (damage !== undefined) throw notWhole(damage)
  const { isOfBeckon, foreign } = migrationsOf(copy)
  if (!isOfBeckon) throw notWhole('it is no database of Beckon')
  if (foreign.length === 0) requireServable(copy)
  if (!expected) return
  const counts = countRows(copy)
  for (const [table, rows] of expected) {
    if (counts.get(table) === rows) continue
    throw notWhole(`it has ${counts.get(table) ?? 'no table'} of ${rows} rows of ${table}`)
  }
}

/** A server migrates the database, and then uses every table and index of this version. */
function requireServable(copy: Database): void {
  copy.run('begin immediate')
  try {
    migrate(copy)
    using model = new Database(':memory:')
    migrate(model)
    const names = new Set(namesIn(copy))
    const lacking = namesIn(model).find((name) => !names.has(name))
    if (lacking !== undefined) throw notWhole(`it lacks ${lacking}`)
  } finally {
    // The copy stays of the version that it is of.
    copy.run('rollback')
  }
}

function namesIn(database: Database): string[] {
  return columnOf(
    database,
    "select name from sqlite_master where name not like 'sqlite!_%' escape '!'",
  )
}

function countRows(database: Database): Map<string, number> {
  const tables = columnOf(database, "select name from sqlite_master where type = 'table'")
  return new Map(
    tables.map((table) => {
      const quoted = `"${table.replaceAll('"', '""')}"`
      return [table, Number(database.query(`select count(*) from ${quoted}`).values()[0]?.[0])]
    }),
  )
}

/** Changes when another connection has written. */
function dataVersion(database: Database): unknown {
  return database.query('pragma data_version').values()[0]?.[0]
}

function columnOf(database: Database, sql: string): string[] {
  return database
    .query(sql)
    .values()
    .map((row) => String(row[0]))
}

function notWhole(why: string): Failure {
  return new Failure('unavailable', `The copy is not whole: ${why}.`)
}
