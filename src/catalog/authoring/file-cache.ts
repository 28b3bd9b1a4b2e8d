import { statSync } from 'node:fs'
import { join } from 'node:path'

/** The results made from each file, by path, valid while the file is unchanged. */
export type FileCache = Map<string, { stamp: string; value: unknown }>

/** A text that changes when the file is replaced or written. Never throws. */
export function fileStamp(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** Returns the cached result for an unchanged file, or calls `make`. */
export async function readThroughCache<T>(
  cache: FileCache | undefined,
  dir: string,
  path: string,
  make: () => Promise<T>,
): Promise<T> {
  if (!cache) return await make()
  // Taken before reading, so that a later write changes the stamp.
  const stamp = fileStamp(join(dir, path))
  const before = cache.get(path)
  if (before?.stamp === stamp) return before.value as T
  const value = await make()
  cache.set(path, { stamp, value })
  return value
}
