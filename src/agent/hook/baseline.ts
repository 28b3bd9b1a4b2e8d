import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionPlace } from './context.ts'
import type { FilePrint } from './file-print.ts'
import { fileName, keepFile, ownFolder, readKept, sha256 } from './state.ts'

// A file is read whole with every shell command.
const TEXT_MAX = 900_000
// A repository that is too large for the time of a look is not tried with every command.
const SLOW_MAX = 3
const REST_MS = 5 * 60_000

/** Outside the scope, and unlike what is committed, when the scope began; by absolute path. */
export type Baseline = {
  /** The scope that it was taken for. */
  scope: string
  /** The work trees that were looked at. */
  tops: string[]
  files: Map<string, FilePrint>
}

/** Undefined when there is none, or none that can be read. Never throws. */
export function readBaseline(place: SessionPlace): Baseline | undefined {
  try {
    const { scope, tops, files } = JSON.parse(readKept(pathOf(place)) ?? '')
    const isWhole = typeof scope === 'string' && Array.isArray(tops) && Array.isArray(files)
    return isWhole ? { scope, tops, files: new Map(files) } : undefined
  } catch {
    return undefined
  }
}

/** False when it is more than is kept: nothing is said then of what changes. */
export function keepBaseline(place: SessionPlace, { scope, tops, files }: Baseline): boolean {
  const text = JSON.stringify({ scope, tops, files: [...files] })
  if (text.length > TEXT_MAX) return false
  keepFile(pathOf(place), text)
  return true
}

/** True for the first who asks: of two hooks that see the same change, one tells it. */
export function claim(place: SessionPlace, path: string): boolean {
  try {
    ownFolder(toldIn(place))
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

/** With another scope other files are outside. */
export function forgetClaims(place: SessionPlace): void {
  rmSync(toldIn(place), { recursive: true, force: true })
}

/** Git was not done in time. */
export function countSlow(place: SessionPlace): void {
  ownFolder(slowIn(place))
  writeFileSync(join(slowIn(place), crypto.randomUUID()), '', { mode: 0o600 })
}

export function forgetSlow(place: SessionPlace): void {
  rmSync(slowIn(place), { recursive: true, force: true })
}

/** Whether git was too slow several times in a row, the last time not long ago. */
export function isResting(place: SessionPlace, now: number): boolean {
  const folder = slowIn(place)
  const last = statSync(folder, { throwIfNoEntry: false })
  if (!last || readdirSync(folder).length < SLOW_MAX) return false
  if (now - last.mtimeMs < REST_MS) return true
  forgetSlow(place)
  return false
}

/** The session is over. */
export function forgetBaseline(place: SessionPlace): void {
  rmSync(pathOf(place), { force: true })
  forgetClaims(place)
  forgetSlow(place)
}

function pathOf({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.json`)
}

function claimOf(place: SessionPlace, path: string): string {
  return join(toldIn(place), sha256(path.normalize('NFC')))
}

function toldIn({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.told`)
}

function slowIn({ state, client, sessionId }: SessionPlace): string {
  return join(state, 'baseline', `${fileName(client, sessionId)}.slow`)
}
