import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Coding } from './negotiate.ts'

const gzip = promisify(zlib.gzip)
const brotli = promisify(zlib.brotliCompress)
const zstd = promisify(zlib.zstdCompress)

/** `kept` is sent many times and may cost; `once` is sent to one client, who waits for it. */
export type Effort = 'kept' | 'once'

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants
// Brotli's highest costs seconds for a large document, and saves a few per cent.
const BROTLI_LARGE = 1_000_000
const LEVELS = {
  kept: { gzip: 9, br: 11, brLarge: 9, zstd: 19, zstdLarge: 15 },
  once: { gzip: 1, br: 1, brLarge: 1, zstd: 1, zstdLarge: 1 },
} as const

/** The same bytes in another coding, worked out beside the event loop; always the same result. */
export async function compress(
  body: Uint8Array<ArrayBuffer>,
  coding: Coding,
  effort: Effort,
): Promise<Uint8Array<ArrayBuffer>> {
  const levels = LEVELS[effort]
  const large = body.length > BROTLI_LARGE
  if (coding === 'gzip') return owned(await gzip(body, { level: levels.gzip }))
  if (coding === 'br') {
    const params = {
      [BROTLI_PARAM_QUALITY]: large ? levels.brLarge : levels.br,
      [BROTLI_PARAM_SIZE_HINT]: body.length,
    }
    return owned(await brotli(body, { params }))
  }
  if (coding === 'zstd') {
    const params = { [ZSTD_c_compressionLevel]: large ? levels.zstdLarge : levels.zstd }
    return owned(await zstd(body, { params }))
  }
  return body
}

function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
