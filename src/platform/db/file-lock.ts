import { Database } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'

/**
 * Locks `file`, which is made if it is missing, until disposed, which also removes it. SQLite's lock
 * belongs to the system, so it ends with the process, however that ends. Undefined while another
 * process has it.
 */
export function lockFile(file: string): Disposable | undefined {
  const lock = new Database(file)
  try {
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
    return undefined
  }
  const held = {
    [Symbol.dispose]() {
      rmSync(file, { force: true })
      lock.close()
    },
  }
  // Its last owner removed it after it was opened here.
  if (existsSync(file)) return held
  lock.close()
  return lockFile(file)
}
