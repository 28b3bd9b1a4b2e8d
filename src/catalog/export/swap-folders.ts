import { dlopen, FFIType } from 'bun:ffi'
import { existsSync, renameSync, rmSync } from 'node:fs'

const AT_FDCWD = -100
const RENAME_EXCHANGE = 2

/**
 * Replaces `folder` with `next` and removes the old one. On Linux the swap is atomic; elsewhere the
 * folder is missing between two renames.
 */
export function swapFolders(next: string, folder: string): void {
  const old = `${folder}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(folder)) {
    if (exchange(next, folder)) renameSync(next, old)
    else {
      renameSync(folder, old)
      renameSync(next, folder)
    }
  } else renameSync(next, folder)
  rmSync(old, { recursive: true, force: true })
}

/** Swaps both atomically; false if the system cannot. */
function exchange(a: string, b: string): boolean {
  if (process.platform !== 'linux') return false
  const { i32, u32, cstring } = FFIType
  try {
    const { symbols, close } = dlopen(LIBC, {
      renameat2: { args: [i32, cstring, i32, cstring, u32], returns: i32 },
    })
    const at = (path: string) => Buffer.from(`${path}\0`)
    const failed = symbols.renameat2(AT_FDCWD, at(a), AT_FDCWD, at(b), RENAME_EXCHANGE)
    close()
    return failed === 0
  } catch {
    return false
  }
}

const LIBC = 'libc.so.6'
