import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { garbageCollector } from '../../platform/collect-garbage.ts'
import type { Manifest } from '../signing/manifest.ts'
import { BLOB_PREFIX, KEYS_PATH, MANIFEST_PATH, SIGNATURE_PATH } from './manifest-paths.ts'

/** The bytes at an address, in pieces. */
export type ReadPieces = (path: string) => Pieces | Promise<Pieces>
type Pieces = Iterable<Uint8Array>

/** A file of an archive; its bytes are read when its turn comes. */
export type ArchiveFile = {
  name: string
  /** Missing if the pieces are few, and held anyway. */
  size?: number
  pieces(): Pieces | Promise<Pieces>
}

// A header in octal digits, as tar has had since 1988 (POSIX ustar).
const BLOCK = 512
const MODE = '0000644'
const NOBODY = '0000000'
const LEVEL = 6
// The byte in which gzip names the operating system (RFC 1952): set to unknown, so that all write
// the same.
const SYSTEM_AT = 9
const UNKNOWN_SYSTEM = 255
/** Two empty blocks end an archive. */
export const ARCHIVE_END = new Uint8Array(2 * BLOCK)

/**
 * `/api/v1/snapshot.tar.gz`, chunk by chunk: the manifest with its signature and keys, so that a
 * reader can check each document as it arrives, and then the documents in the order of the manifest.
 * Each of the two parts is a gzip member (RFC 1952, 2.2), so that the second can be packed before
 * there is a manifest. The same files give the same bytes. `read` returns the bytes at an address.
 */
export async function* archiveChunks(
  manifest: Manifest,
  read: ReadPieces,
): AsyncGenerator<Uint8Array> {
  yield* gzipChunks(blocksOf(signedFiles(read)))
  yield* gzipChunks(blocksWithEnd(blobFiles(manifest, read)))
}

/** The first part of an archive. */
export function signedFiles(read: ReadPieces): ArchiveFile[] {
  return [
    { name: 'manifest.json', pieces: () => read(MANIFEST_PATH) },
    { name: 'manifest.jws.json', pieces: () => read(SIGNATURE_PATH) },
    { name: 'catalog-keys.json', pieces: () => read(KEYS_PATH) },
  ]
}

function* blobFiles({ files }: Manifest, read: ReadPieces): Generator<ArchiveFile> {
  const sizes = new Map(files.map(({ sha256, size }) => [sha256, size]))
  for (const [sha256, size] of sizes) {
    const pieces = () => read(`${BLOB_PREFIX}${sha256}`)
    yield { name: blobName(sha256), size, pieces }
  }
}

/** The name in an archive of the document with this hash. */
export function blobName(sha256: string): string {
  return `blobs/sha256/${sha256}`
}

/**
 * One gzip member, which `Bun.Archive` cannot write without a time. Compression runs off the event
 * loop.
 */
export async function* gzipChunks(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: LEVEL })
  // An error is thrown where the chunks are read.
  pipeline(Readable.from(joined(blocks)), gzip, () => {})
  let at = 0
  for await (const chunk of gzip as AsyncIterable<Uint8Array>) {
    if (at <= SYSTEM_AT && at + chunk.length > SYSTEM_AT) chunk[SYSTEM_AT - at] = UNKNOWN_SYSTEM
    at += chunk.length
    yield chunk
  }
}

// Each write to the compressor costs a change of threads.
const AT_ONCE = 256 * 1024

/** The same bytes in larger pieces. */
async function* joined(blocks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const block of blocks) {
    waiting.push(block)
    size += block.length
    if (size < AT_ONCE) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  yield Buffer.concat(waiting)
}

async function* blocksWithEnd(files: Iterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  yield* blocksOf(files)
  yield ARCHIVE_END
}

/** These files without times and owners; other work may run between two of them. */
export async function* blocksOf(files: Iterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  const collect = garbageCollector()
  for (const file of files) {
    const content = await file.pieces()
    const pieces = file.size === undefined ? [...content] : content
    const size = file.size ?? lengthOf(pieces)
    yield* fileBlocks(file.name, size, pieces)
    collect(size)
    await Bun.sleep(0)
  }
}

/** The blocks of one file: header, bytes and padding. */
export function* fileBlocks(name: string, size: number, pieces: Pieces): Generator<Uint8Array> {
  yield header(name, size)
  for (const piece of pieces) if (piece.length > 0) yield piece
  const rest = (BLOCK - (size % BLOCK)) % BLOCK
  if (rest > 0) yield new Uint8Array(rest)
}

function lengthOf(pieces: Pieces): number {
  let length = 0
  for (const piece of pieces) length += piece.length
  return length
}

function header(name: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  if (name.length > 100) throw new Error(`${name} is too long for an archive`)
  block.write(name, 0, 'latin1')
  block.write(MODE, 100)
  block.write(NOBODY, 108)
  block.write(NOBODY, 116)
  block.write(size.toString(8).padStart(11, '0'), 124)
  block.write('00000000000', 136)
  // The checksum counts its own field as spaces.
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
