import { Database } from 'bun:sqlite'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../platform/failure.ts'

/**
 * Keeps other exports away from `folder` until disposed. The lock is that of a database file beside
 * it, which the system releases with the process, so that a killed export leaves nothing to clean up
 * by hand. Throws `conflict` while another export has it.
 */
export function lockExport(folder: string): Disposable {
  const file = `${folder}.lock`
  mkdirSync(dirname(file), { recursive: true })
  const lock = new Database(file)
  try {
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    throw new Failure(
      'conflict',
      `Another export writes to ${folder} now; nothing was changed. Try again when it is done.`,
    )
  }
  return {
    [Symbol.dispose]() {
      rmSync(file, { force: true })
      lock.close()
    },
  }
}
