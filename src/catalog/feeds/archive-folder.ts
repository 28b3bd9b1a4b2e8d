import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFile } from '../../platform/db/file-lock.ts'

const PREFIX = 'beckon-snapshot-'
const LOCK = 'lock'

/** A temporary folder of this process; disposing removes it. */
export type ArchiveFolder = Disposable & { path: string }

/** Makes a folder and locks it, so that other processes know that this one lives. */
export function makeArchiveFolder(): ArchiveFolder {
  for (;;) {
    const path = mkdtempSync(join(tmpdir(), PREFIX))
    const lock = lockFile(join(path, LOCK))
    // Another process looked for abandoned folders in the moment between.
    if (!lock) continue
    return {
      path,
      [Symbol.dispose]() {
        rmSync(path, { recursive: true, force: true })
        lock[Symbol.dispose]()
      },
    }
  }
}

/**
 * Removes the folders of processes that were killed: those of this user with a lock that nobody
 * holds. Others stay.
 */
export function removeAbandonedFolders(): void {
  for (const name of namesIn(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    try {
      removeIfAbandoned(join(tmpdir(), name))
    } catch {
      // It is another user's, or another process removes it now.
    }
  }
}

function removeIfAbandoned(path: string): void {
  const entry = lstatSync(path)
  const file = join(path, LOCK)
  if (!entry.isDirectory() || entry.uid !== process.getuid?.() || !existsSync(file)) return
  using lock = lockFile(file)
  if (lock) rmSync(path, { recursive: true, force: true })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
