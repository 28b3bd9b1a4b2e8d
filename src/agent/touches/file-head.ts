import { closeSync, openSync, readSync, statSync } from 'node:fs'

const SCRIPT_MAX_BYTES = 64 * 1024

/** The beginning of a file, because a script that runs a forbidden command is short. */
export function headOf(path: string): string | undefined {
  let file: number | undefined
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
    file = openSync(path, 'r')
    const bytes = Buffer.alloc(SCRIPT_MAX_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, SCRIPT_MAX_BYTES, 0))
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
