import { isoTime } from '../../platform/clock.ts'
import type { SnapshotReport } from '../../platform/db/snapshots.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, passedCheck, skippedCheck, warnedCheck } from '../check.ts'

type Newest = NonNullable<Extract<SnapshotReport, { state: 'known' }>['newest']>

const NAME = 'Snapshots'
const TRY = 'beckon backup --snapshot makes one now, or says why not.'

/** Checks that last night's snapshot exists and can be read; a server works without one. */
export function snapshotCheck(report: SnapshotReport): Check {
  const { folder, keep } = report
  if (report.state === 'off') {
    const message = 'The server makes none (BECKON_SNAPSHOTS is 0).'
    return skippedCheck('storage', NAME, message)
  }
  if (report.state === 'unknown') {
    const message = `Whether there are any is not known: ${folder} cannot be read (${report.code}).`
    const cure = 'Run this as the user of the server, or name its folder in BECKON_SNAPSHOT_FOLDER.'
    return warnedCheck('storage', NAME, message, cure)
  }
  const { newest, count, isLate, obstacle } = report
  const fault = newest && faultOf(newest)
  if (fault !== undefined) return warnedCheck('storage', NAME, fault, TRY)
  const last = newest
    ? `The last of ${count} in ${folder} is of ${isoTime(newest.at)}`
    : `There is none in ${folder} yet`
  if (obstacle !== undefined) {
    const message = `${last}, and no other can be made: ${obstacle}`
    return warnedCheck('storage', NAME, message, 'Free space, or give the folder to the server.')
  }
  if (isLate) {
    const message = `${last}; that of last night is missing.`
    return warnedCheck('storage', NAME, message, `Look at the log of the server; ${TRY}`)
  }
  if (!newest) {
    const message = `${last}; the server makes the first after three o'clock at night.`
    return skippedCheck('storage', NAME, message)
  }
  const { database } = newest
  const sound =
    database.state === 'read' && database.checked ? ' and sound' : ', not looked through'
  return passedCheck('storage', NAME, `${last}${sound}; the newest ${keep} are kept.`)
}

function faultOf({ path, database: report }: Newest): string | undefined {
  if (report.state !== 'read') {
    const why = report.state === 'unreadable' ? ` (${report.code})` : ''
    return `The newest, ${path}, cannot be read${why}.`
  }
  if (report.damage === undefined) return undefined
  return `The newest, ${path}, is damaged: ${cutText(cleanLine(report.damage), 100)}.`
}
