import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { sha256Bytes } from './state.ts'

// What is larger is held to be changed when its size or time is.
const HASHED_MAX_BYTES = 1024 * 1024

/** What a file was like: kind and mode, size, time of change, time of any change, hash of contents. */
export type FilePrint = readonly [
  kind: string,
  size: number,
  changed: number,
  touched: number,
  hash: string,
]

/** Never throws; what is not there, or cannot be looked at, has a print too. */
export function printOf(path: string, { hashed }: { hashed: boolean }): FilePrint {
  try {
    const stat = lstatSync(path)
    if (stat.isSymbolicLink()) return ['link', 0, 0, 0, readlinkSync(path)]
    // A repository within the repository: what is in it is its own.
    if (!stat.isFile()) return ['other', 0, 0, 0, '']
    const hash = hashed && stat.size <= HASHED_MAX_BYTES ? sha256Bytes(readFileSync(path)) : ''
    return [`file ${stat.mode & 0o777}`, stat.size, stat.mtimeMs, stat.ctimeMs, hash]
  } catch {
    return ['none', 0, 0, 0, '']
  }
}

/** Whether the file is what it was; it is read only when its times do not tell. */
export function isAsBefore(path: string, before: FilePrint): boolean {
  const [kind, size, changed, touched, hash] = before
  const now = printOf(path, { hashed: false })
  if (now[0] !== kind || now[1] !== size) return false
  if (kind === 'link') return now[4] === hash
  if (now[2] === changed && (now[3] === touched || hash === '')) return true
  return hash !== '' && printOf(path, { hashed: true })[4] === hash
}
