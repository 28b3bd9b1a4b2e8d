import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../../platform/failure.ts'

/**
 * Writes new files, all of them or none. Throws `conflict` naming the first that already exists.
 */
export function writeNew(folder: string, files: ReadonlyMap<string, string>): void {
  for (const path of files.keys()) {
    if (!existsSync(join(folder, path))) continue
    throw new Failure(
      'conflict',
      `${join(folder, path)} exists; nothing was written. Choose another folder or name.`,
    )
  }
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new Failure(
      'unavailable',
      `${folder} cannot be written to (${code}); choose another folder or change its owner.`,
      { cause: error },
    )
  }
}
