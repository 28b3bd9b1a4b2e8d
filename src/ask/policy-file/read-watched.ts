import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** The text of a policy file, or why it cannot be read, in words that follow its path. */
type WatchedText = { text: string } | { problem: string }

const WATCHED_MAX = 1_000_000

/**
 * Reads the file that a path leads to now, through links, as Kubernetes replaces them. Never waits for a
 * pipe to be written.
 */
export function readWatched(path: string): WatchedText {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(file)
      if (stat.isDirectory()) return { problem: 'is a folder' }
      if (!stat.isFile()) return { problem: 'is no file, but a pipe or a device' }
      const bytes = Buffer.alloc(WATCHED_MAX + 1)
      const length = readAll(file, bytes)
      if (length > WATCHED_MAX) return { problem: 'has more than a megabyte' }
      return { text: bytes.toString('utf8', 0, length) }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as { code?: string }
    return { problem: PROBLEMS[code ?? ''] ?? `cannot be read (${code ?? 'unknown'})` }
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read by the server',
  EISDIR: 'is a folder',
  ELOOP: 'is a link that leads in a circle',
  ENXIO: 'is no file, but a pipe or a device',
}

function readAll(file: number, bytes: Buffer): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, null)
    if (read === 0) break
    length += read
  }
  return length
}
