import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Coding } from './negotiate.ts'

const gzip = promisify(zlib.gzip)
const brotli = promisify(zlib.brotliCompress)
const zstd = promisify(zlib.zstdCompress)

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants
// Brotli's highest level takes seconds for a large document and saves a few per cent.
const BROTLI_LARGE = 1_000_000
const LEVELS = { gzip: 9, br: 11, brLarge: 9, zstd: 19, zstdLarge: 15 }
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
  const large = body.length > BROTLI_LARGE
  if (coding === 'gzip') return owned(await gzip(body, { level: LEVELS.gzip }))
  if (coding === 'br') {
    const params = {
      [BROTLI_PARAM_QUALITY]: large ? LEVELS.brLarge : LEVELS.br,
      [BROTLI_PARAM_SIZE_HINT]: body.length,
    }
    return owned(await brotli(body, { params }))
  }
  if (coding === 'zstd') {
    const params = { [ZSTD_c_compressionLevel]: large ? LEVELS.zstdLarge : LEVELS.zstd }
    return owned(await zstd(body, { params }))
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
