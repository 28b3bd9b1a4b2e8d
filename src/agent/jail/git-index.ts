import { readFileSync, statSync } from 'node:fs'
import type { WorkTree } from '../paths/repository.ts'

/**
 * The entry of a file in git's index; `isTrusted`: git looks at nothing else to call it unchanged.
 */
export type Entry = {
  /** The path below the requested one; empty for that itself. */
  below: string
  mode: number
  size: number
  /** In seconds. */
  changed: number
  isTrusted: boolean
}

const INDEX_MAX_BYTES = 64 * 1024 * 1024
const HEADER = 12
// An entry begins with its times, device, mode, owner and size; then come the hash, the flags and
// the name. From version 3 on there may be more flags.
const BEFORE_HASH = 40
const FLAGS = 2
const SHA1 = 20
const AT = { changed: 8, mode: 24, size: 36 }
const LENGTH = 0xfff
const HAS_MORE = 0x4000
export const GIT_MODES = { file: 0o100644, program: 0o100755, link: 0o120000, module: 0o160000 }
const MODES: ReadonlySet<number> = new Set(Object.values(GIT_MODES))
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/**
 * The files at or below a path of the work tree that git tracks. Undefined if this is not known: in
 * an index of version 4, one with SHA-256, and a very large one.
 */
export type FindTracked = (path: string) => Entry[] | undefined

/** Reads the index once. */
export function openIndex(tree: WorkTree): FindTracked {
  const { bytes, written } = readIndex(`${tree.folder}/index`)
  if (bytes === undefined) return () => undefined
  return (path) => {
    const name = path.slice(tree.top.length + 1)
    return path.startsWith(`${tree.top}/`) ? entriesAt(bytes, name, written) : []
  }
}

function readIndex(path: string): { bytes?: Buffer; written: number } {
  try {
    const stat = statSync(path)
    if (stat.size > INDEX_MAX_BYTES) return { written: 0 }
    const bytes = readFileSync(path)
    const version = bytes.toString('latin1', 0, 4) === 'DIRC' ? bytes.readUInt32BE(4) : 0
    const isRead = version === 2 || version === 3
    return { written: Math.floor(stat.mtimeMs / 1000), ...(isRead && { bytes }) }
  } catch {
    return { written: 0 }
  }
}

/** Names stand in the file as they are, so they are searched for, and checked by their lengths. */
function entriesAt(bytes: Buffer, name: string, written: number): Entry[] | undefined {
  const entries = new Map<string, Entry>()
  const searched = Buffer.from(name)
  for (let at = bytes.indexOf(searched, HEADER); at >= 0; at = bytes.indexOf(searched, at + 1)) {
    const end = bytes.indexOf(0, at)
    const after = bytes[at + searched.length]
    const entry = after === 0 || after === SLASH ? entryAt(bytes, at, end) : undefined
    if (entry === undefined) continue
    const below = bytes.toString('utf8', Math.min(at + searched.length + 1, end), end)
    const isTrusted = entry.isTrusted && entry.changed < written
    // A conflict has several entries for one path.
    entries.set(below, { ...entry, below, isTrusted })
  }
  return [...entries.values()]
}

const SLASH = 0x2f

function entryAt(bytes: Buffer, at: number, end: number): Omit<Entry, 'below'> | undefined {
  const length = Math.min(end - at, LENGTH)
  for (const flags of [at - FLAGS, at - 2 * FLAGS]) {
    const begin = flags - SHA1 - BEFORE_HASH
    if (begin < HEADER) continue
    const flag = bytes.readUInt16BE(flags)
    const hasMore = (flag & HAS_MORE) !== 0
    if ((flag & LENGTH) !== length || hasMore !== flags < at - FLAGS) continue
    const mode = bytes.readUInt32BE(begin + AT.mode)
    if (!MODES.has(mode)) continue
    const size = bytes.readUInt32BE(begin + AT.size)
    const hash = bytes.toString('hex', begin + BEFORE_HASH, flags)
    return {
      mode,
      size,
      changed: bytes.readUInt32BE(begin + AT.changed),
      // Git writes a size of zero for what it must look at again.
      isTrusted: size > 0 || hash === EMPTY_BLOB,
    }
  }
  return undefined
}
