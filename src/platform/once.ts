/** Calls `make` once for each key and keeps the result for as long as the key lives. */
export function oncePer<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, { value: V }>()
  return (key) => {
    const existing = values.get(key)
    if (existing) return existing.value
    const value = make(key)
    values.set(key, { value })
    return value
  }
}

/** `read`, with its results for the latest `most` texts at hand. */
export function cacheRecent<V>(most: number, read: (text: string) => V): (text: string) => V {
  const recent = new Map<string, { value: V }>()
  return (text) => {
    const cached = recent.get(text)
    if (cached) return cached.value
    const value = read(text)
    const [oldest] = recent.keys()
    if (recent.size >= most && oldest !== undefined) recent.delete(oldest)
    recent.set(text, { value })
    return value
  }
}

/**
 * Runs `load` when it is first needed, and again if that failed; all callers get the same result.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
