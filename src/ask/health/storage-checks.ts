import type { DatabaseReport, FolderReport } from '../../platform/db/inspect-folder.ts'
import { versionOf } from '../../platform/db/migrate.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, failedCheck, passedCheck, warnedCheck } from '../check.ts'
import { type ServerReport, serverDatabaseChecks } from './database-checks.ts'

const FREE_LEAST = 64 * 1024 * 1024
const FREE_WANTED = 512 * 1024 * 1024
const MIB = 1024 * 1024

/**
 * Checks that data can be stored, and that only its owner can read it; `elsewhere` if it is not in
 * the folder.
 */
export function storageChecks(folder: FolderReport, elsewhere?: ServerReport): Check[] {
  if (elsewhere) {
    // No question depends on the folder then: losing its files or filling its disk loses none.
    const beside = folder.exists ? [writable(folder), permissions(folder)] : []
    return [...serverDatabaseChecks(elsewhere), ...beside]
  }
  if (!folder.exists) {
    return [
      failedCheck(
        'storage',
        'Data folder',
        `There is no folder ${folder.path}.`,
        'Name the folder of the server with --data or BECKON_DATA; beckon serve makes a new one.',
      ),
    ]
  }
  const checks = [writable(folder), permissions(folder), space(folder), database(folder)]
  return checks.filter((check) => check !== undefined)
}

function writable({ path, refusal }: FolderReport): Check {
  if (refusal === undefined)
    return passedCheck('storage', 'Data folder', `${path} can be written to.`)
  return failedCheck(
    'storage',
    'Data folder',
    `${path} cannot be written to (${refusal}).`,
    refusal === 'ENOSPC'
      ? 'Free space on that disk; the server continues without a restart.'
      : 'Give the folder to the user that runs Beckon, or choose another with --data.',
  )
}

function permissions({ path, openToOthers }: FolderReport): Check {
  if (!openToOthers) {
    return passedCheck('storage', 'Permissions', 'Only its owner can look into the data folder.')
  }
  return warnedCheck(
    'storage',
    'Permissions',
    'Other users of this machine can look into the data folder, which holds keys.',
    `Run: chmod 700 ${path}`,
  )
}

function space({ freeBytes }: FolderReport): Check | undefined {
  if (freeBytes === undefined) return undefined
  const message = `${sizeWords(freeBytes)} of the disk are free.`
  const cure = 'Free space, or move the data folder; a full disk refuses every question.'
  if (freeBytes < FREE_LEAST) return failedCheck('storage', 'Disk space', message, cure)
  if (freeBytes < FREE_WANTED) return warnedCheck('storage', 'Disk space', message, cure)
  return passedCheck('storage', 'Disk space', message)
}

function database({ database: report }: FolderReport): Check {
  const name = 'Database'
  if (report.state === 'absent') {
    const message = 'The data folder has no database.'
    const cure = 'Start the server once with beckon serve, or name its folder with --data.'
    return failedCheck('storage', name, message, cure)
  }
  if (report.state === 'unknown') {
    return failedCheck('storage', name, report.reason, report.cure)
  }
  if (report.state === 'unreadable') {
    const message = `The database cannot be read (${report.code}).`
    const cure = 'Check that its owner runs Beckon and that the disk is sound, or restore a backup.'
    return failedCheck('storage', name, message, cure)
  }
  return readDatabase(report)
}

function readDatabase(report: Extract<DatabaseReport, { state: 'read' }>): Check {
  const name = 'Database'
  if (report.damage !== undefined) {
    const message = `The database is damaged: ${cutText(cleanLine(report.damage), 100)}.`
    return failedCheck('storage', name, message, 'Stop the server and restore a backup.')
  }
  if (report.foreign.length > 0) {
    const { version, cure } = versionOf(report.foreign)
    return failedCheck('storage', name, `The database was changed by ${version}.`, cure)
  }
  if (report.missing.length > 0) {
    const message = `The database lacks ${report.missing.length} migrations of this version.`
    return warnedCheck('storage', name, message, 'Restart the server, or run beckon migrate.')
  }
  const sound = report.checked ? 'sound and up to date' : 'up to date; too large to look through'
  return passedCheck('storage', name, `The database (${sizeWords(report.bytes)}) is ${sound}.`)
}

/** `74.8 GiB`, `312 MiB`. */
function sizeWords(bytes: number): string {
  if (bytes >= 10 * 1024 * MIB) return `${Math.floor(bytes / MIB / 102.4) / 10} GiB`
  return `${Math.ceil(bytes / MIB)} MiB`
}
