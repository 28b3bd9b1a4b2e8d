import { Database } from 'bun:sqlite'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { syncToDisk } from '../sync-to-disk.ts'
import { requireKnownFolder } from './data-folder.ts'
import { DATABASE_FILE } from './find-database.ts'
import { giveToFolderOwner } from './folder-owner.ts'
import { inspectDatabase } from './inspect-folder.ts'
import { MIGRATIONS } from './migrations.ts'
import { serveAlone } from './only-server.ts'

// It contains hashed tokens, questions and the private push key.
const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700
const OWN_FILES = new Set(['', '-wal', '-shm', '-journal'].map((end) => DATABASE_FILE + end))

/**
 * Copies the database of `folder` into `file`, as of one moment, while a server may go on writing;
 * `file` is written completely or not at all. `onBegin` is called when nothing speaks against it any
 * more. Returns the size of the file in bytes. Throws `not_found` without a database, `conflict` if
 * `file` exists and may not be replaced, or is of the database itself, `unavailable` if the copy
 * cannot be written.
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
    rmSync(part, { force: true })
    // Its owner's alone from the first byte, also if this process is killed meanwhile.
    closeSync(openSync(part, 'wx', OWNER_ONLY))
    using database = new Database(join(folder, DATABASE_FILE), { readonly: true, strict: true })
    database.run('pragma busy_timeout = 10000')
    database.query('vacuum into ?').run(part)
    syncToDisk(part)
    renameSync(part, file)
    syncToDisk(dirname(resolve(file)))
    return statSync(file).size
  } catch (error) {
    rmSync(part, { force: true })
    throw cannot(`The backup could not be written to ${file}`, error)
  }
}

/**
 * Puts the backup `file` into `folder`; the old database is kept beside it, under the name that is
 * returned. Throws `conflict` while a server uses the folder or if a newer version made the backup,
 * `invalid_input` if `file` is damaged or not a backup of Beckon.
 */
export function restore(folder: string, file: string, now: string): string | undefined {
  requireBackup(file)
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
  using _alone = serveAlone(folder)
  const target = join(folder, DATABASE_FILE)
  const part = `${target}.part`
  try {
    copyFileSync(file, part)
    chmodSync(part, OWNER_ONLY)
    giveToFolderOwner(part)
    syncToDisk(part)
    const kept = setAside(target, now)
    renameSync(part, target)
    syncToDisk(folder)
    return kept
  } catch (error) {
    rmSync(part, { force: true })
    throw cannot(`The backup could not be put into ${folder}`, error)
  }
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
  const found = inspectDatabase(file, Number.POSITIVE_INFINITY)
  if (found.state === 'absent') {
    if (!existsSync(file)) throw new Failure('not_found', `There is no file ${file}.`)
    throw new Failure('invalid_input', `${file} is empty: it is not a database of Beckon.`)
  }
  if (found.state === 'unknown') {
    throw new Failure('invalid_input', `${found.reason} ${found.cure}`)
  }
  if (found.state === 'unreadable') {
    throw new Failure('invalid_input', `${file} is not a database (${found.code}).`)
  }
  if (found.damage) throw new Failure('invalid_input', `${file} is damaged: ${found.damage}`)
  if (found.missing.length === MIGRATIONS.length) {
    throw new Failure('invalid_input', `${file} is not a database of Beckon.`)
  }
  if (found.foreign.length > 0) {
    throw new Failure(
      'conflict',
      `${file} was made by a newer version of Beckon; restore it with that version.`,
    )
  }
}

/** A journal holds the latest writes, so it must move with its database. */
function setAside(target: string, now: string): string | undefined {
  if (!existsSync(target)) return undefined
  const kept = `${target}.before-restore-${now.replaceAll(':', '')}`
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(target + end)) renameSync(target + end, kept + end)
  }
  return kept
}

function cannot(what: string, error: unknown): unknown {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: unknown; message?: string }
  return new Failure('unavailable', `${what} (${String(code ?? message)}).`, { cause: error })
}
