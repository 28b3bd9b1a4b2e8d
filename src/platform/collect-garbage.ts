import { heapSize } from 'bun:jsc'

// Full collections take a tenth of a second with 3,000 tools in memory, a second with 30,000: the
// more is in use, the more may be wasted before the next.
const EVERY_BYTES = 32 * 1024 * 1024
const SHARE_OF_HEAP = 4

/**
 * Returns a function that counts bytes that were used for a moment, and runs the collector after
 * each 32 MiB of them, or after a quarter of a larger heap. The collector itself waits until the
 * heap has doubled, buffers and blobs included.
 */
export function garbageCollector(): (bytes: number) => void {
  let used = 0
  return (bytes) => {
    used += bytes
    if (used < EVERY_BYTES || used < heapSize() / SHARE_OF_HEAP) return
    used = 0
    Bun.gc(true)
  }
}
