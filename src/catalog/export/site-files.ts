import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Failure } from '../../platform/failure.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { byText } from '../feeds/listing-order.ts'
import { type Added, fileWriter } from './file-writer.ts'

export const STATE_FILE = '.beckon-export.json'
/** Hash of each file (without compressed versions) by its path in the folder. */
export type ExportState = { version: 1; files: Record<string, string> }

/** The folders of an export: `next` is filled with what is new and with links into `folder`. */
type Folders = { folder: string; next: string; before: ExportState; now: number }

/** The files of an export while they are written. */
export type SiteFiles = {
  /**
   * Writes a file, or links the one of the last export if it has the same bytes; with `twins` also
   * the compressed versions that are smaller. Returns the SHA-256 of the bytes.
   */
  put(file: string, bytes: Uint8Array, how?: { twins: boolean }): Promise<string>
  /** The same for a file that is too large to be held whole. */
  putChunks(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Links the file of the last export as it is; false if the last export has no such file. */
  keep(file: string): boolean
  /** True if the file was put with the bytes of the last export. */
  isKept(file: string): boolean
  /** Adds `file` with the bytes of `other`; false if that has another hash, or is not written. */
  putSame(file: string, other: string, hash: string): boolean
  /** Writes the list of files for the next export, and counts them all. */
  finish(): Promise<ExportSummary>
}

/** Numbers of files, compressed versions included. */
export type ExportSummary = {
  files: number
  written: number
  kept: number
  dropped: number
  bytes: number
}

/** Fills `next`. */
export function siteFiles({ folder, next, before, now }: Folders): SiteFiles {
  const writer = fileWriter({ folder, next, now })
  const hashes = new Map<string, string>()
  const counts = { files: 0, written: 0, kept: 0, bytes: 0 }

  function count(as: 'kept' | 'written', { files, bytes }: Added): void {
    counts[as] += files
    counts.files += files
    counts.bytes += bytes
  }

  function keep(file: string, hash: string | undefined): boolean {
    if (hash === undefined || before.files[file] !== hash) return false
    const isLinked = writer.link(file)
    if (isLinked) count('kept', isLinked)
    return isLinked !== undefined
  }

  return {
    async put(file, bytes, { twins } = { twins: false }) {
      const hash = sha256(bytes)
      hashes.set(file, hash)
      if (!keep(file, hash)) count('written', await writer.write(file, bytes, twins))
      return hash
    },
    async putChunks(file, chunks) {
      const { hash, bytes } = await writer.writeChunks(file, chunks)
      hashes.set(file, hash)
      count('written', { files: 1, bytes })
    },
    isKept: (file) => before.files[file] !== undefined && before.files[file] === hashes.get(file),
    keep(file) {
      const hash = before.files[file]
      if (hash !== undefined) hashes.set(file, hash)
      return keep(file, hash)
    },
    putSame(file, other, hash) {
      if (hashes.get(other) !== hash) return false
      hashes.set(file, hash)
      if (!keep(file, hash)) count('written', writer.linkSame(file, other))
      return true
    },
    async finish() {
      const files = Object.fromEntries([...hashes].sort(([a], [b]) => byText(a, b)))
      const state: ExportState = { version: 1, files }
      await writer.write(`/${STATE_FILE}`, Buffer.from(`${JSON.stringify(state)}\n`), false)
      const dropped = Object.keys(before.files).filter((file) => !hashes.has(file)).length
      return { ...counts, dropped }
    },
  }
}

/** The list of an earlier export in `folder`. Throws `conflict` if something else is in it. */
export function readExportState(folder: string): ExportState {
  const none: ExportState = { version: 1, files: {} }
  const names = filesIn(folder)
  if (names.length === 0) return none
  const state = parsedState(folder) ?? none
  const own = new Set([`/${STATE_FILE}`, ...Object.keys(state.files)])
  const foreign = names.filter((name) => !own.has(name) && !own.has(name.replace(TWIN, '')))
  if (foreign.length === 0) return state
  const some = foreign.slice(0, 3).join(', ')
  const more = foreign.length > 3 ? ` and ${foreign.length - 3} more` : ''
  throw new Failure(
    'conflict',
    `${folder} has something in it that no export wrote (${some}${more}), and an export replaces the whole folder; nothing was changed. Move that away, or name an empty or a new folder.`,
  )
}

const TWIN = /\.(gz|br|zst)$/

/** Undefined if no export wrote the folder. */
function parsedState(folder: string): ExportState | undefined {
  try {
    const state = JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')) as ExportState
    return state.version === 1 ? state : undefined
  } catch {
    return undefined
  }
}

/** The paths of all files in a folder, beginning with a slash; none if it does not exist. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name))}`)
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
}
