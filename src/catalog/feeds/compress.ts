import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Coding } from './negotiate.ts'

const gzip = promisify(zlib.gzip)
const brotli = promisify(zlib.brotliCompress)
const zstd = promisify(zlib.zstdCompress)

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants
// Above these, a page takes a hundred times as long and saves a tenth of its size.
const LEVELS = { gzip: 9, br: 8, zstd: 9 }
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
