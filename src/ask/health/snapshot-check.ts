import { isoTime } from '../../platform/clock.ts'
import type { SnapshotReport } from '../../platform/db/snapshots.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { type Check, passedCheck, skippedCheck, warnedCheck } from '../check.ts'

type Newest = NonNullable<Extract<SnapshotReport, { state: 'known' }>['newest']>

const NAME = 'Snapshots'
const TRY = 'beckon backup --snapshot makes one now, or says why not.'

/** Whether last night's snapshot is there and can be read; a server works without one. */
export function snapshotCheck(found: SnapshotReport): Check {
  const { folder, keep } = found
  if (found.state === 'off') {
    const said = 'The server makes none (BECKON_SNAPSHOTS is 0).'
    return skippedCheck('storage', NAME, said)
  }
  if (found.state === 'unknown') {
    const said = `Whether there are any is not known: ${folder} cannot be read (${found.code}).`
    const cure = 'Run this as the user of the server, or name its folder in BECKON_SNAPSHOT_FOLDER.'
    return warnedCheck('storage', NAME, said, cure)
  }
  const { newest, count, isLate, obstacle } = found
  const fault = newest && faultOf(newest)
  if (fault !== undefined) return warnedCheck('storage', NAME, fault, TRY)
  const last = newest
    ? `The last of ${count} in ${folder} is of ${isoTime(newest.at)}`
    : `There is none in ${folder} yet`
  if (obstacle !== undefined) {
    const said = `${last}, and no other can be made: ${obstacle}`
    return warnedCheck('storage', NAME, said, 'Free space, or give the folder to the server.')
  }
  if (isLate) {
    const said = `${last}; that of last night is missing.`
    return warnedCheck('storage', NAME, said, `Look at the log of the server; ${TRY}`)
  }
  if (!newest) {
    const said = `${last}; the server makes the first after three o'clock at night.`
    return skippedCheck('storage', NAME, said)
  }
  const { database } = newest
  const sound =
    database.state === 'read' && database.checked ? ' and sound' : ', not looked through'
  return passedCheck('storage', NAME, `${last}${sound}; the newest ${keep} are kept.`)
}

function faultOf({ path, database: found }: Newest): string | undefined {
  if (found.state !== 'read') {
    const why = found.state === 'unreadable' ? ` (${found.code})` : ''
    return `The newest, ${path}, cannot be read${why}.`
  }
  if (found.damage === undefined) return undefined
  return `The newest, ${path}, is damaged: ${cutText(cleanLine(found.damage), 100)}.`
}
