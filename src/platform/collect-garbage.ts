// Full collections take a tenth of a second with a large catalog in memory.
const EVERY_BYTES = 32 * 1024 * 1024

/**
 * Returns a function that counts bytes that were used for a moment, and runs the collector after
 * each 32 MiB of them. The collector itself waits until the heap has doubled, buffers and blobs
 * included.
 */
export function garbageCollector(): (bytes: number) => void {
  let used = 0
  return (bytes) => {
    used += bytes
    if (used < EVERY_BYTES) return
    used = 0
    Bun.gc(true)
  }
}
