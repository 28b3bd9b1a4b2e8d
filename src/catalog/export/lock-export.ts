import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { lockFile } from '../../platform/db/file-lock.ts'
import { Failure } from '../../platform/failure.ts'

/**
 * Keeps other exports away from `folder` until disposed, by a file beside it; a killed export leaves
 * nothing to clean up by hand. Throws `conflict` while another export has it.
 */
export function lockExport(folder: string): Disposable {
  const file = `${folder}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const lock = lockFile(file)
  if (lock) return lock
  throw new Failure(
    'conflict',
    `Another export writes to ${folder} now; nothing was changed. Try again when it is done.`,
  )
}
