import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { Manifest } from '../signing/manifest.ts'
import { BLOB_PREFIX, KEYS_PATH, MANIFEST_PATH, SIGNATURE_PATH } from './manifest-paths.ts'

/** A file of an archive; its bytes are read when its turn comes. */
export type ArchiveFile = { name: string; bytes(): Uint8Array | Promise<Uint8Array> }

// A header in octal digits, as tar has had since 1988 (POSIX ustar).
const BLOCK = 512
const MODE = '0000644'
const NOBODY = '0000000'
const LEVEL = 6
// The byte in which gzip names the operating system (RFC 1952): set to unknown, so that all write
// the same.
const SYSTEM_AT = 9
const UNKNOWN_SYSTEM = 255

/**
 * The files of `/api/v1/snapshot.tar.gz`. The manifest comes first, so that a reader can check each
 * document as it arrives. `read` returns the bytes at an address.
 */
export function* archiveOf(
  { files }: Manifest,
  read: (path: string) => Uint8Array | Promise<Uint8Array>,
): Generator<ArchiveFile> {
  yield { name: 'manifest.json', bytes: () => read(MANIFEST_PATH) }
  yield { name: 'manifest.jws.json', bytes: () => read(SIGNATURE_PATH) }
  yield { name: 'catalog-keys.json', bytes: () => read(KEYS_PATH) }
  const hashes = new Set(files.map(({ sha256 }) => sha256))
  for (const sha256 of [...hashes].sort()) {
    yield { name: `blobs/sha256/${sha256}`, bytes: () => read(`${BLOB_PREFIX}${sha256}`) }
  }
}

/**
 * Packs these files in this order into a `.tar.gz`, chunk by chunk. It has no times and owners, so
 * the same files give the same bytes, which `Bun.Archive` does not offer. Compression runs off the
 * event loop, and other work may run between two files.
 */
export async function* archiveChunks(files: Iterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: LEVEL })
  // An error is thrown where the chunks are read.
  pipeline(Readable.from(blocksOf(files)), gzip, () => {})
  let at = 0
  for await (const chunk of gzip as AsyncIterable<Uint8Array>) {
    if (at <= SYSTEM_AT && at + chunk.length > SYSTEM_AT) chunk[SYSTEM_AT - at] = UNKNOWN_SYSTEM
    at += chunk.length
    yield chunk
  }
}

async function* blocksOf(files: Iterable<ArchiveFile>): AsyncGenerator<Uint8Array> {
  for (const { name, bytes } of files) {
    const body = await bytes()
    yield header(name, body.length)
    if (body.length > 0) yield body
    const rest = (BLOCK - (body.length % BLOCK)) % BLOCK
    if (rest > 0) yield new Uint8Array(rest)
    await Bun.sleep(0)
  }
  yield new Uint8Array(2 * BLOCK)
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
