import { statSync } from 'node:fs'
import { join } from 'node:path'

/** What was made of each file, by its path, for as long as the file stays as it is. */
export type FileCache = Map<string, { stamp: string; made: unknown }>

/** Another text when the file is another one, or has been written since. Never throws. */
export function fileStamp(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** What `make` makes of a file; what it made before while the file is still the same. */
export async function cachedOrMade<T>(
  kept: FileCache | undefined,
  dir: string,
  path: string,
  make: () => Promise<T>,
): Promise<T> {
  if (!kept) return await make()
  // Before it is read: what is written meanwhile has another stamp the next time.
  const stamp = fileStamp(join(dir, path))
  const before = kept.get(path)
  if (before?.stamp === stamp) return before.made as T
  const made = await make()
  kept.set(path, { stamp, made })
  return made
}
