import { rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sweepFolders } from '../temporary-folder.ts'
import { DATABASE_FILE, databasePath, namesIn, UNFINISHED } from './find-database.ts'
import { forgetLinks } from './replace-database.ts'

/** The names of folders in the data folder that hold a copy of the database for a check. */
export const CHECK_PREFIX = 'check-'

const BACKUP_PART = /^beckon\.db\..+\.part(-wal|-shm|-journal)?$/
// A backup may be running beside the server, and writes all the time.
const LEFT_MS = 60 * 60_000

/**
 * Removes what checks, restores, moves and backups that were killed left in the data folder. The
 * caller holds the folder alone. What cannot be removed stays.
 */
export function sweepDataFolder(folder: string): void {
  sweepFolders(folder, CHECK_PREFIX)
  try {
    forgetLinks(folder)
    for (const place of new Set([folder, dirname(databasePath(join(folder, DATABASE_FILE)))])) {
      removeIn(place, (name) => UNFINISHED.test(name))
    }
    sweepBackups(folder)
  } catch {
    // If the folder cannot be used, opening the database reports that.
  }
}

/** Removes backups in `folder` that were cut off. Throws what the file system throws. */
export function sweepBackups(folder: string): void {
  removeIn(folder, (name) => BACKUP_PART.test(name) && isLeft(join(folder, name)))
}

function removeIn(folder: string, isOurs: (name: string) => boolean): void {
  for (const name of namesIn(folder).filter(isOurs)) rmSync(join(folder, name), { force: true })
}

function isLeft(path: string): boolean {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changedAt !== undefined && Date.now() - changedAt > LEFT_MS
}
