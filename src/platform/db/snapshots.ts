import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isoTime } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { Failure } from '../failure.ts'
import { backUp } from './backup.ts'
import { DATABASE_FILE, namesIn } from './find-database.ts'
import { type DatabaseReport, inspectDatabase } from './inspect-folder.ts'
import { sweepBackups } from './sweep-data-folder.ts'
import { writeRefusal } from './write-refusal.ts'

type Where = Pick<Config, 'dataFolder' | 'snapshots'>

const OWNER_ONLY = 0o700
const NAME = /^beckon\.db\.(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\dZ)$/
// A full disk refuses every question.
const LEAVE_FREE = 64 * 1024 * 1024
/** The hour of local time after which a snapshot is due. */
const HOUR = 3
// A server that could not make one tries again each hour.
const LATE_MS = 3 * 60 * 60_000

/**
 * Copies the database into the folder of snapshots and removes the oldest beyond the number to keep,
 * never the new one. `now` in milliseconds since 1970. Throws as `backUp` does, and `unavailable` if
 * the disk would be full.
 */
export function takeSnapshot(
  { dataFolder, snapshots: { folder, keep } }: Where,
  now: number,
): { path: string; bytes: number } {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  requireRoom(dataFolder, folder)
  const time = isoTime(now).replaceAll(':', '').replace(/\.\d+/, '')
  const path = join(folder, `${DATABASE_FILE}.${time}`)
  const bytes = backUp(dataFolder, path, { replace: false })
  sweepBackups(folder)
  const others = snapshotsIn(folder).filter((one) => one.path !== path)
  for (const old of others.slice(Math.max(keep, 1) - 1)) rmSync(old.path, { force: true })
  return { path, bytes }
}

/** The path of the newest snapshot. Throws `not_found` if there is none. */
export function newestSnapshot({ snapshots: { folder } }: Pick<Config, 'snapshots'>): string {
  const [newest] = snapshotsIn(folder)
  if (newest) return newest.path
  throw new Failure(
    'not_found',
    `There is no snapshot in ${folder}; name a backup: beckon restore FILE.`,
  )
}

/**
 * Returns true if no snapshot was made since three o'clock of the latest night, local time, which
 * counts from `graceMs` after it. A new database is not due; a snapshot by a clock that was ahead
 * does not count.
 */
export function isSnapshotDue({ dataFolder, snapshots }: Where, now: number, graceMs = 0): boolean {
  const night = new Date(now - graceMs)
  night.setHours(HOUR, 0, 0, 0)
  if (night.getTime() > now - graceMs) night.setDate(night.getDate() - 1)
  const newest = snapshotsIn(snapshots.folder).find(({ at }) => at <= now)
  const stats = statSync(join(dataFolder, DATABASE_FILE), { throwIfNoEntry: false })
  return stats !== undefined && (newest?.at ?? stats.birthtimeMs) < night.getTime()
}

/** The snapshots of a server; inspecting them changes nothing. */
export type SnapshotReport = { folder: string; keep: number } & (
  | { state: 'off' }
  | { state: 'unknown'; code: string }
  | {
      state: 'known'
      newest: { path: string; at: number; database: DatabaseReport } | undefined
      /** How many there are. */
      count: number
      /** The one of last night is missing, although the server has tried again since. */
      isLate: boolean
      /** Why one cannot be made now, as far as that can be seen. */
      obstacle: string | undefined
    }
)

/** `checkUpTo` in bytes, as for the folder of the data. */
export function inspectSnapshots(where: Where, now: number, checkUpTo: number): SnapshotReport {
  const { folder, keep } = where.snapshots
  if (keep === 0) return { folder, keep, state: 'off' }
  const code = refusalToList(folder)
  if (code !== undefined) return { folder, keep, state: 'unknown', code }
  const snapshots = snapshotsIn(folder)
  const newest = snapshots.find(({ at }) => at <= now) ?? snapshots[0]
  return {
    folder,
    keep,
    state: 'known',
    newest: newest && { ...newest, database: inspectDatabase(newest.path, checkUpTo) },
    count: snapshots.length,
    isLate: isSnapshotDue(where, now, LATE_MS),
    obstacle: obstacleTo(where),
  }
}

/** The system's code for why a folder cannot be listed; undefined if it can, or is not there yet. */
function refusalToList(folder: string): string | undefined {
  try {
    readdirSync(folder)
    return undefined
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code ?? error)
    return code === 'ENOENT' ? undefined : code
  }
}

function obstacleTo({ dataFolder, snapshots: { folder } }: Where): string | undefined {
  // Without the folder, one is made in the nearest that is there.
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const refusal = writeRefusal(place)
  if (refusal !== undefined) return `${place} cannot be written to (${refusal}).`
  try {
    requireRoom(dataFolder, place)
    return undefined
  } catch (error) {
    return error instanceof Failure ? error.message : String(error)
  }
}

/** Newest first; files of other names are none. */
function snapshotsIn(folder: string): Array<{ path: string; at: number }> {
  return namesIn(folder)
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
      const at = Date.parse(`${day}${hours}:${minutes}:${seconds}`)
      return Number.isNaN(at) ? [] : [{ path: join(folder, name), at }]
    })
    .sort((one, other) => other.at - one.at)
}

function requireRoom(dataFolder: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const path = join(dataFolder, DATABASE_FILE)
  const needed = ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0),
    LEAVE_FREE,
  )
  if (bavail * bsize >= needed) return
  throw new Failure(
    'unavailable',
    `The disk of ${folder} has no room for a snapshot: it needs ${Math.ceil(needed / 1024 / 1024)} MiB, 64 of them to stay free. Free space, or set BECKON_SNAPSHOT_FOLDER or BECKON_SNAPSHOTS=0.`,
  )
}
