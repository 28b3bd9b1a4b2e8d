import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

type Unpack = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array

const CODINGS: Record<string, Unpack> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** The codings in which browsers ask for documents. */
export const CODING_NAMES = ['identity', ...Object.keys(CODINGS)]

/** The bytes without their coding, at most `most`; undefined if they are not in it, or longer. */
export function unpack(bytes: Uint8Array, coding: string, most: number): Uint8Array | undefined {
  if (coding === '' || coding === 'identity') return bytes
  const run = Object.hasOwn(CODINGS, coding) ? CODINGS[coding] : undefined
  try {
    // At least a byte, because zero means no limit.
    return run?.(bytes, { maxOutputLength: Math.max(1, most) })
  } catch {
    return undefined
  }
}
