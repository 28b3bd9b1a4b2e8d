import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { Failure } from '../failure.ts'
import { giveToFolderOwner } from '../folder-owner.ts'
import { readJsonObject } from '../json.ts'

const LOCK_FILE = 'serving.lock'
const ADDRESS_FILE = 'serving.json'
// The folder holds secrets, so no other user of the machine may read it.
const OWNER_ONLY = 0o700
const OWNER_ONLY_FILE = 0o600

/** Where a server listens, where people and agents reach it, and where its snapshots are. */
type ServerAddress = Pick<Config, 'host' | 'port' | 'baseUrl' | 'snapshots'>

/** The only server of a folder. */
export type OnlyServer = Disposable & {
  /** Tells commands that run beside the server, which do not see its settings. */
  announce(address: ServerAddress): void
}

/** The server that runs on a folder, if any, and its address. */
export type RunningServer =
  | { state: 'known'; address: ServerAddress }
  | { state: 'none' }
  | { state: 'unknown'; why: string }

/**
 * Reserves `folder` for one server: a second one would answer people without the callers of the
 * first one knowing. SQLite's lock belongs to the system, so it ends with the process in any case.
 * Throws `conflict` while another process serves the folder, `unavailable` if that is not known.
 */
export function serveAlone(folder: string): OnlyServer {
  const lock = openLock(folder)
  const file = join(folder, ADDRESS_FILE)
  // A server that was killed leaves its address behind.
  if (lock) forget(file)
  return {
    announce({ host, port, baseUrl, snapshots }) {
      if (!lock) return
      try {
        writeFileSync(file, JSON.stringify({ host, port, baseUrl, snapshots }), {
          mode: OWNER_ONLY_FILE,
        })
        giveToFolderOwner(file)
      } catch {
        // The address is then not known. A full disk is reported elsewhere.
        forget(file)
      }
    },
    [Symbol.dispose]() {
      if (!lock) return
      forget(file)
      lock.close()
    },
  }
}

/** Returns true if a server uses `folder` now, at whatever address. */
export function isServed(folder: string): boolean {
  return lockOf(folder) === 'held'
}

/** The server that uses `folder` now. */
export function findServer(folder: string): RunningServer {
  const lock = lockOf(folder)
  if (lock === 'free') return { state: 'none' }
  if (lock !== 'held') {
    const why = `Whether a server runs on ${folder} is not known (${lock.code}).`
    return { state: 'unknown', why }
  }
  const address = readAddress(join(folder, ADDRESS_FILE))
  if (address) return { state: 'known', address }
  // It is starting, is of an earlier version, or is a command that needs the folder for itself.
  return { state: 'unknown', why: `What runs on ${folder} states no address.` }
}

function readAddress(file: string): ServerAddress | undefined {
  try {
    const { host, port, baseUrl, ...more } = readJsonObject(readFileSync(file, 'utf8')) ?? {}
    const { keep, folder } = more.snapshots as Partial<ServerAddress['snapshots']>
    if (typeof host !== 'string' || typeof port !== 'number') return undefined
    if (typeof keep !== 'number' || typeof folder !== 'string') return undefined
    return typeof baseUrl === 'string'
      ? { host, port, baseUrl, snapshots: { keep, folder } }
      : undefined
  } catch {
    return undefined
  }
}

function forget(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // It is only read while the lock is held.
  }
}

function lockOf(folder: string): 'held' | 'free' | { code: string } {
  const file = join(folder, LOCK_FILE)
  try {
    statSync(file)
    using lock = new Database(file, { readonly: true })
    lock.query('select count(*) from sqlite_master').get()
    return 'free'
  } catch (error) {
    if (isBusy(error)) return 'held'
    const { code } = error as { code?: unknown }
    return code === 'ENOENT' ? 'free' : { code: String(code) }
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
    if (isBusy(error)) throw takenFailure(folder)
    if (isDamage(error)) throw damaged(folder, error.code)
    // If the folder cannot be used, opening the database reports that.
    return undefined
  }
}

function isDamage(error: unknown): error is { code: string } {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code))
}

/** Reports a damaged lock file: it would keep no second server out. */
function damaged(folder: string, code: string): Failure {
  return new Failure(
    'unavailable',
    `Whether another server uses ${folder} is not known: ${join(folder, LOCK_FILE)} is damaged (${code}). Remove that file while no server runs.`,
  )
}

function takenFailure(folder: string): Failure {
  return new Failure(
    'conflict',
    `Another Beckon server is using the data folder ${folder}; stop that one, or choose another folder with --data.`,
  )
}
