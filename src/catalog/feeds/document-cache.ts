/** Limits the memory of documents that are made on request. */
export type DocumentCache = {
  /** Counts `bytes` more, and calls `forget` of the oldest entries while there is too much. */
  put(forget: () => void, bytes: number): void
}

export function createDocumentCache(bytesMax: number): DocumentCache {
  const sizes = new Map<() => void, number>()
  let total = 0
  return {
    put(forget, bytes) {
      total += bytes
      sizes.set(forget, (sizes.get(forget) ?? 0) + bytes)
      for (const [oldest, size] of sizes) {
        if (total <= bytesMax || oldest === forget) return
        sizes.delete(oldest)
        total -= size
        oldest()
      }
    },
  }
}
