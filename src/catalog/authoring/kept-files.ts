import { statSync } from 'node:fs'
import { join } from 'node:path'

/** What was made of each file, by its path, for as long as the file stays as it is. */
export type KeptFiles = Map<string, { stamp: string; made: unknown }>

/** Another text when the file is another one, or has been written since. Never throws. */
export function stampOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

/** What `make` makes of a file; what it made before while the file is still the same. */
export async function keptOr<T>(
  kept: KeptFiles | undefined,
  dir: string,
  path: string,
  make: () => Promise<T>,
): Promise<T> {
  if (!kept) return await make()
  // Before it is read: what is written meanwhile has another stamp the next time.
  const stamp = stampOf(join(dir, path))
  const before = kept.get(path)
  if (before?.stamp === stamp) return before.made as T
  const made = await make()
  kept.set(path, { stamp, made })
  return made
}
