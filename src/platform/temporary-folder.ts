import { Database } from 'bun:sqlite'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

// SQLite's lock belongs to the system, so it ends with the process in any case.
const LOCK_FILE = 'in-use.lock'
// A folder without a lock was left by an earlier version, or is being made at this moment.
const LEFT_MS = 60 * 60_000

const ENDING = ['SIGINT', 'SIGTERM'] as const

/**
 * A new folder in `parent` whose name begins with `prefix`. Disposing removes it with its contents,
 * and so does a signal that ends the process, which must not wait for the same signals itself.
 * Folders that killed processes left there are removed, too. Throws what the file system throws.
 */
export function temporaryFolder(parent: string, prefix: string): Disposable & { path: string } {
  sweepFolders(parent, prefix)
  const { path, lock } = lockedFolder(parent, prefix)
  const remove = () => {
    lock.close()
    rmSync(path, { recursive: true, force: true })
  }
  const end = (signal: (typeof ENDING)[number]) => {
    remove()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ENDING) process.on(signal, end)
  return {
    path,
    [Symbol.dispose]() {
      for (const signal of ENDING) process.off(signal, end)
      remove()
    },
  }
}

/**
 * Removes the temporary folders of this `prefix` that no process uses any more. What cannot be
 * read or removed stays.
 */
export function sweepFolders(parent: string, prefix: string): void {
  try {
    for (const name of readdirSync(parent))
      if (name.startsWith(prefix)) removeLeft(join(parent, name))
  } catch {
    // It costs room only, and the next one tries again.
  }
}

function lockedFolder(parent: string, prefix: string): { path: string; lock: Database } {
  for (;;) {
    const path = mkdtempSync(join(parent, prefix))
    const lock = lockIn(path, true)
    // Another process may have swept the folder before it had its lock.
    if (lock && existsSync(join(path, LOCK_FILE))) return { path, lock }
    lock?.close()
  }
}

function removeLeft(path: string): void {
  if (!existsSync(join(path, LOCK_FILE))) {
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - changedAt > LEFT_MS) rmSync(path, { recursive: true, force: true })
    return
  }
  const lock = lockIn(path, false)
  if (!lock) return
  try {
    // Windows removes no file that is open.
    if (process.platform === 'win32') lock.close()
    rmSync(path, { recursive: true, force: true })
  } finally {
    lock.close()
  }
}

/** Undefined while another process holds the lock. */
function lockIn(folder: string, create: boolean): Database | undefined {
  const lock = new Database(join(folder, LOCK_FILE), { readwrite: true, create })
  try {
    lock.run('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}
