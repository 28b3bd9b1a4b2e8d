import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { SessionPlace } from '../session/context.ts'
import { fileName, keepFile, ownFolder, readStateFile } from '../state/state-files.ts'

// The file is read whole with every shell command.
const TEXT_MAX = 900_000
// A repository that git is too slow for is not tried with every command.
const SLOW_MAX = 3
const REST_MS = 5 * 60_000
// A process in the background has ended by then.
const LOOK_LASTS_MS = 20_000
const AGAIN = 'again'

/**
 * The files outside the scope that differed from what is committed when the scope began, by
 * absolute path.
 */
export type Snapshot = {
  /** The scope that it was taken for. */
  scope: string
  /** Another for each time that a scope or a session begins. */
  id: string
  /** The work trees that were read. */
  tops: string[]
  files: Map<string, FilePrint>
  /** The commit that each work tree stood on; missing for those without one. */
  heads: Map<string, string>
}

/** The kept snapshot of a session; undefined if it is missing or unreadable. Never throws. */
export function readSnapshot(place: SessionPlace): Snapshot | undefined {
  try {
    const {
      scope,
      id = '',
      tops,
      files,
      heads = [],
    } = JSON.parse(readStateFile(pathOf(place)) ?? '')
    const isWhole = typeof scope === 'string' && [tops, files, heads].every(Array.isArray)
    const paths: unknown[] = isWhole ? [...tops, ...[...files, ...heads].map(([path]) => path)] : []
    const arePaths = paths.every((path) => typeof path === 'string')
    return isWhole && arePaths
      ? { scope, id, tops, files: new Map(files), heads: new Map(heads) }
      : undefined
  } catch {
    return undefined
  }
}

/** False once a session that goes on has another snapshot, or none yet. */
export function isLatest(place: SessionPlace, { id }: Snapshot): boolean {
  return readSnapshot(place)?.id === id
}

/** False if the snapshot is too large to keep: then changes are not reported. */
export function keepSnapshot(
  place: SessionPlace,
  { scope, id, tops, files, heads }: Snapshot,
): boolean {
  const text = JSON.stringify({ scope, id, tops, files: [...files], heads: [...heads] })
  if (text.length > TEXT_MAX) return false
  keepFile(pathOf(place), text)
  return true
}

/** True for the first caller: if two hooks see the same change, one reports it. */
export function claim(place: SessionPlace, path: string): boolean {
  try {
    ownFolder(noticeFolderOf(place))
    writeFileSync(claimOf(place, path), '', {
      mode: 0o600,
      flag: 'wx',
    })
    return true
  } catch {
    return false
  }
}

export function isClaimed(place: SessionPlace, path: string): boolean {
  return existsSync(claimOf(place, path))
}

/** Another scope leaves other files outside. */
export function forgetClaims(place: SessionPlace): void {
  rmSync(noticeFolderOf(place), { recursive: true, force: true })
}

/** Counts a time when git was too slow. */
export function countSlow(place: SessionPlace): void {
  ownFolder(slowIn(place))
  writeFileSync(join(slowIn(place), crypto.randomUUID()), '', { mode: 0o600 })
}

export function forgetSlow(place: SessionPlace): void {
  rmSync(slowIn(place), { recursive: true, force: true })
}

/** Returns true if git was too slow several times in a row, the last time recently. */
export function isResting(place: SessionPlace, now: number): boolean {
  const folder = slowIn(place)
  const last = statSync(folder, { throwIfNoEntry: false })
  if (!last || readdirSync(folder).length < SLOW_MAX) return false
  if (now - last.mtimeMs < REST_MS) return true
  forgetSlow(place)
  return false
}

/**
 * Returns true if the working tree of this session should be scanned in the background now. False
 * while another process scans it, which is then told to scan `again`, and soon after a scan that
 * ran out of time.
 */
export function beginLook(
  place: SessionPlace,
  now: number,
  { again }: { again: boolean },
): boolean {
  const path = lookOf(place)
  const last = statSync(path, { throwIfNoEntry: false })
  if (last && now - last.mtimeMs < REST_MS) {
    if (again && now - last.mtimeMs < LOOK_LASTS_MS) writeFileSync(path, AGAIN)
    return false
  }
  rmSync(path, { force: true })
  ownFolder(dirname(path))
  writeFileSync(path, '', { mode: 0o600, flag: 'wx' })
  return true
}

/** The look has seen everything; false if it is to look again, unless this was its last. */
export function endLook(place: SessionPlace, { isLast }: { isLast: boolean }): boolean {
  const path = lookOf(place)
  const isOver = isLast || readStateFile(path) !== AGAIN
  if (isOver) rmSync(path, { force: true })
  else writeFileSync(path, '')
  return isOver
}

/** Keeps what a look in the background found, until the model can be told. */
export function keepFindings(place: SessionPlace, text: string): void {
  keepFile(join(findingsIn(place), crypto.randomUUID()), text)
}

/** Returns findings that were not reported yet, for the first caller. Never throws. */
export function takeFindings(place: SessionPlace): string[] {
  const texts: string[] = []
  try {
    // A name with a dot is a file that is still being written.
    for (const name of readdirSync(findingsIn(place)).filter((one) => !one.includes('.'))) {
      const path = join(findingsIn(place), name)
      const text = readFileSync(path, 'utf8')
      rmSync(path)
      texts.push(text)
    }
  } catch {
    // Nothing was kept, or another hook has taken it.
  }
  return texts
}

/** Deletes the snapshot alone. */
export function dropSnapshot(place: SessionPlace): void {
  rmSync(pathOf(place), { force: true })
}

/** Deletes everything about the files of a session that is over. */
export function forgetSnapshot(place: SessionPlace): void {
  dropSnapshot(place)
  rmSync(lookOf(place), { force: true })
  rmSync(findingsIn(place), { recursive: true, force: true })
  forgetClaims(place)
  forgetSlow(place)
}

function pathOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.json`)
}

function claimOf(place: SessionPlace, path: string): string {
  return join(noticeFolderOf(place), sha256(path.normalize('NFC')))
}

function noticeFolderOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.told`)
}

function slowIn({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.slow`)
}

function lookOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.look`)
}

function findingsIn({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.found`)
}

// A larger file counts as changed if its size or time has changed.
const HASHED_MAX_BYTES = 1024 * 1024

/** The print of a file: kind and mode, size, modification time, change time, hash of contents. */
type FilePrint = readonly [
  kind: string,
  size: number,
  changed: number,
  touched: number,
  hash: string,
]

/** Never throws; a file that is missing or cannot be read has a print too. */
export function printOf(path: string, { hashed }: { hashed: boolean }): FilePrint {
  try {
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return ['link', 0, 0, 0, readlinkSync(path)]
    // A folder here is a repository within the repository, and its contents are its own.
    if (!stat.isFile()) return ['other', 0, 0, 0, '']
    const hash = hashed && stat.size <= HASHED_MAX_BYTES ? sha256(readFileSync(path)) : ''
    return [`file ${stat.mode & 0o777}`, stat.size, stat.mtimeMs, stat.ctimeMs, hash]
  } catch {
    return ['none', 0, 0, 0, '']
  }
}

/** Returns true if the file is unchanged; it is read only if its times do not show it. */
export function isAsBefore(path: string, before: FilePrint): boolean {
  const [kind, size, changed, touched, hash] = before
  const now = printOf(path, { hashed: false })
  if (now[0] !== kind || now[1] !== size) return false
  if (kind === 'link') return now[4] === hash
  if (now[2] === changed && (now[3] === touched || hash === '')) return true
  return hash !== '' && printOf(path, { hashed: true })[4] === hash
}
