import { crc32, inflateRawSync } from 'node:zlib'
import { Failure } from '../../platform/failure.ts'

/** Reads a part of a file. */
export type ReadAt = (position: number, length: number) => Buffer

/** A file in an archive; the name is data, never a path to write to. */
export type ZipEntry = { name: string; bytes(): Buffer }

type Listed = {
  name: string
  method: number
  packed: number
  size: number
  sum: number
  at: number
}

// APPNOTE.TXT 6.3.10, 4.3: each record begins with its signature.
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const COMMENT_MOST = 0xffff
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
const IN_64 = 0xffffffff
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
// The largest archive of OSV lists 250,000 entries of some kilobytes in 200 MB.
const LIST_BYTES_MOST = 256 * 1024 * 1024
const ENTRY_BYTES_MOST = 16 * 1024 * 1024
const TOTAL_BYTES_MOST = 16 * 1024 * 1024 * 1024

/**
 * The files of a ZIP archive, one after the other, so that only one is held at a time. Throws
 * `malformed` for anything else, for one with a password, and for one that unpacks to more than it can
 * have been made for.
 */
export function* zipEntries(readAt: ReadAt, length: number): Generator<ZipEntry> {
  const { offset, bytes } = findList(readAt, length)
  if (bytes > LIST_BYTES_MOST || offset + bytes > length) throw broken('its list does not fit')
  const list = readAt(offset, bytes)
  let [packed, total] = [0, 0]
  for (let at = 0; at + CENTRAL_BYTES <= list.length; ) {
    const { entry, next } = readListed(list, at)
    at = next
    packed += entry.packed
    total += entry.size
    // Entries that share their bytes: a small file that unpacks to terabytes.
    if (packed > length) throw broken('its files overlap')
    if (entry.size > ENTRY_BYTES_MOST || total > TOTAL_BYTES_MOST) {
      throw broken(`it unpacks to too much at ${JSON.stringify(entry.name.slice(0, 100))}`)
    }
    if (!entry.name.endsWith('/')) yield { name: entry.name, bytes: () => unpack(readAt, entry) }
  }
}

function findList(readAt: ReadAt, length: number): { offset: number; bytes: number } {
  const from = Math.max(0, length - END_BYTES - COMMENT_MOST)
  const tail = readAt(from, length - from)
  let at = tail.length - END_BYTES
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--
  if (at < 0) throw broken('its end is missing')
  const [bytes, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  const isIn64 = bytes === IN_64 || offset === IN_64 || tail.readUInt16LE(at + 10) === COMMENT_MOST
  const locator = from + at - 20
  if (!isIn64 || locator < 0) return { offset, bytes }
  const place = readAt(locator, 20)
  if (place.readUInt32LE(0) !== LOCATOR_64) return { offset, bytes }
  const end = readAt(Number(place.readBigUInt64LE(8)), 56)
  if (end.length < 56 || end.readUInt32LE(0) !== END_64) throw broken('its end is missing')
  return { bytes: Number(end.readBigUInt64LE(40)), offset: Number(end.readBigUInt64LE(48)) }
}

function readListed(list: Buffer, at: number): { entry: Listed; next: number } {
  if (list.readUInt32LE(at) !== CENTRAL) throw broken('its list is not one')
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((n) => list.readUInt16LE(at + n))
  const nameAt = at + CENTRAL_BYTES
  const name = list.toString('utf8', nameAt, nameAt + (nameBytes ?? 0))
  if (list.readUInt16LE(at + 8) & ENCRYPTED) throw broken('it has a password')
  const next = nameAt + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
  const [packed, size, offset] = [20, 24, 42].map((n) => list.readUInt32LE(at + n))
  const extra = list.subarray(nameAt + (nameBytes ?? 0), next - (commentBytes ?? 0))
  const [wideSize = 0, widePacked = 0, wideOffset = 0] = wideNumbers(extra, [size, packed, offset])
  const about = { name, method: list.readUInt16LE(at + 10), sum: list.readUInt32LE(at + 16) }
  return { entry: { ...about, size: wideSize, packed: widePacked, at: wideOffset }, next }
}

/** Numbers that have no room in 32 bits stand in an extra field, in this order. */
function wideNumbers(extra: Buffer, numbers: ReadonlyArray<number | undefined>): number[] {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1)
    at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return numbers.map((number = 0) => {
    if (number !== IN_64) return number
    if (at + 8 > extra.length) throw broken('a number in its list is missing')
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

function unpack(readAt: ReadAt, { name, method, packed, size, sum, at }: Listed): Buffer {
  const head = readAt(at, LOCAL_BYTES)
  if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL) throw wrong(name)
  const from = at + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28)
  const bytes = readAt(from, packed)
  const plain = method === DEFLATED ? inflate(bytes, size, name) : bytes
  if (method !== STORED && method !== DEFLATED) throw wrong(name)
  if (plain.length !== size || crc32(plain) !== sum) throw wrong(name)
  return plain
}

function inflate(bytes: Buffer, size: number, name: string): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
  } catch {
    throw wrong(name)
  }
}

function wrong(name: string): Failure {
  return broken(`${JSON.stringify(name.slice(0, 100))} cannot be unpacked`)
}

function broken(why: string): Failure {
  return new Failure('malformed', `The ZIP archive was not read: ${why}. Download it again.`)
}
