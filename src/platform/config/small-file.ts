import { closeSync, openSync, readSync, statSync } from 'node:fs'

const BYTES_MAX = 64 * 1024

/** The reason why a file is not read. */
export class UnfitFile extends Error {}

/**
 * The text of a regular file of at most 64 KiB. Throws `UnfitFile` for anything else: a pipe or a
 * device would block its reader, or never end. Throws the system's error if it cannot be read.
 */
export function readSmallFile(path: string): string {
  if (!statSync(path).isFile()) throw new UnfitFile('is not a regular file')
  const bytes = Buffer.alloc(BYTES_MAX + 1)
  const file = openSync(path, 'r')
  try {
    // The size is measured by reading, because some files report a size of 0.
    let size = 0
    for (let more = -1; more !== 0 && size < bytes.length; size += more)
      more = readSync(file, bytes, size, bytes.length - size, null)
    if (size > BYTES_MAX) throw new UnfitFile('is longer than 64 KiB')
    return bytes.toString('utf8', 0, size)
  } finally {
    closeSync(file)
  }
}
