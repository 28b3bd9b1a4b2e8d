import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { shortDigest } from './etag.ts'
import type { Coding } from './negotiate.ts'

const gzip = promisify(zlib.gzip)
const brotli = promisify(zlib.brotliCompress)
const zstd = promisify(zlib.zstdCompress)

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants
// Above these, a page takes ten to a hundred times as long or megabytes of tables, and saves a tenth of its
// size.
const LEVELS = { gzip: 9, br: 6, zstd: 9 }
const QUICK_ZSTD = { [ZSTD_c_compressionLevel]: 1 }
const QUICK_BROTLI = { [BROTLI_PARAM_QUALITY]: 1 }

/**
 * Compresses as far as is worth it, off the event loop: these bytes are sent many times. Always the
 * same result.
 */
export async function compress(
  body: Uint8Array<ArrayBuffer>,
  coding: Coding,
): Promise<Uint8Array<ArrayBuffer>> {
  if (coding === 'gzip') return owned(await gzip(body, { level: LEVELS.gzip }))
  if (coding === 'br') {
    const params = { [BROTLI_PARAM_QUALITY]: LEVELS.br, [BROTLI_PARAM_SIZE_HINT]: body.length }
    return owned(await brotli(body, { params }))
  }
  if (coding === 'zstd') {
    return owned(await zstd(body, { params: { [ZSTD_c_compressionLevel]: LEVELS.zstd } }))
  }
  return body
}

/**
 * Compresses what is too large to be held whole, piece by piece, in every coding. Also returns the
 * number and the hash of the plain bytes.
 */
export async function compressPieces(pieces: Iterable<Uint8Array>) {
  const hash = createHash('sha256')
  const streams = {
    gzip: zlib.createGzip({ level: LEVELS.gzip }),
    br: zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: LEVELS.br } }),
    zstd: zlib.createZstdCompress({ params: { [ZSTD_c_compressionLevel]: LEVELS.zstd } }),
  }
  const packing = Object.entries(streams).map(async ([coding, stream]) => {
    const packed = new Blob(await Array.fromAsync(stream as AsyncIterable<Uint8Array<ArrayBuffer>>))
    return [coding as Exclude<Coding, 'identity'>, packed] as const
  })
  let size = 0
  for (const piece of pieces) {
    size += piece.length
    hash.update(piece)
    const written = Object.values(streams).map(
      (stream) => new Promise((resolve) => stream.write(piece, resolve)),
    )
    await Promise.all(written)
  }
  for (const stream of Object.values(streams)) stream.end()
  return { size, hash: shortDigest(hash), packed: new Map(await Promise.all(packing)) }
}

/** For one waiting client: takes at most a millisecond, less than handing it to another thread. */
export function compressNow(body: Uint8Array<ArrayBuffer>, coding: Coding) {
  if (coding === 'zstd') return owned(zlib.zstdCompressSync(body, { params: QUICK_ZSTD }))
  if (coding === 'gzip') return owned(zlib.gzipSync(body, { level: 1 }))
  if (coding === 'br') return owned(zlib.brotliCompressSync(body, { params: QUICK_BROTLI }))
  return body
}

function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
