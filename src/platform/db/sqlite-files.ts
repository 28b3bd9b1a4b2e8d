import { closeSync, openSync, readSync, statSync } from 'node:fs'

// https://sqlite.org/fileformat2.html
const START = 'SQLite format 3\0'
const JOURNAL_START = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
const JOURNAL_PAGES_AT = 16
const WAL_HEADER = 32
const FRAME_HEADER = 24
const PAGE_LEAST = 512
const PAGE_MOST = 65_536
const WAL_MAGIC = 0x377f0682
const WAL_VERSION = 3_007_000

/** Returns true if a file that starts with these bytes may be a database of SQLite. */
export function isDatabaseStart(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, START.length)).toString('latin1') === START
}

/**
 * The pages that the database had when the rollback journal at `path` was begun; undefined if it is
 * no journal that SQLite would use. Throws what the file system throws, except for a missing file.
 */
export function journalPages(path: string): number | undefined {
  const bytes = readStart(path, JOURNAL_PAGES_AT + 4)
  if (bytes === undefined || bytes.length < JOURNAL_PAGES_AT + 4) return undefined
  if (!JOURNAL_START.every((byte, i) => bytes[i] === byte)) return undefined
  return bytes.readUInt32BE(JOURNAL_PAGES_AT)
}

/**
 * Finds the fault of the write-ahead log at `path`, for which SQLite would ignore rows in it;
 * undefined if there is none, or if it holds no whole frame. SQLite syncs the header before the
 * first frame, so a crash cannot have left it torn. Throws what the file system throws, except for
 * a missing file.
 */
export function walDamage(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size < WAL_HEADER + FRAME_HEADER + PAGE_LEAST) return undefined
  const header = readStart(path, WAL_HEADER)
  if (header === undefined) return undefined
  const pageSize = header.readUInt32BE(8)
  const isWal =
    header.readUInt32BE(0) >>> 1 === WAL_MAGIC >>> 1 && header.readUInt32BE(4) === WAL_VERSION
  if (!isWal || !isPageSize(pageSize)) return 'its header is not that of a log'
  const [first, second] = checksum(header.subarray(0, 24), (header.readUInt32BE(0) & 1) === 1)
  const isRight = first === header.readUInt32BE(24) && second === header.readUInt32BE(28)
  return isRight ? undefined : 'the checksum of its header is wrong'
}

function isPageSize(bytes: number): boolean {
  return bytes >= PAGE_LEAST && bytes <= PAGE_MOST && (bytes & (bytes - 1)) === 0
}

type Sums = [number, number]

/** The checksum of logs; `bytes` are a multiple of eight. */
function checksum(bytes: Buffer, bigEndian: boolean, [first, second]: Sums = [0, 0]): Sums {
  const word = (at: number) => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + word(at) + second) >>> 0
    second = (second + word(at + 4) + first) >>> 0
  }
  return [first, second]
}

/** Fewer bytes if the file is shorter; undefined if there is none. */
function readStart(path: string, length: number): Buffer | undefined {
  let handle: number
  try {
    handle = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(handle, bytes))
  } finally {
    closeSync(handle)
  }
}
