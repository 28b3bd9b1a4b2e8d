import { sweepFolders } from '../temporary-folder.ts'
import { forgetLinks } from './replace-database.ts'

/** The names of folders in the data folder that hold a copy of the database for a check. */
export const CHECK_PREFIX = 'check-'

/**
 * Removes what checks and restores that were killed left in the data folder. The caller holds the
 * folder alone. What cannot be removed stays.
 */
export function sweepDataFolder(folder: string): void {
  sweepFolders(folder, CHECK_PREFIX)
  try {
    forgetLinks(folder)
  } catch {
    // If the folder cannot be used, opening the database reports that.
  }
}
