import { fstatSync } from 'node:fs'

/**
 * Whether a person is at this end: standard input (0), output (1) or error (2). Every short command
 * waits for its imports, and `node:tty` takes longer than the rest of the start (it loads streams
 * and sockets), so it is only loaded if the end may be a terminal.
 */
export function isTerminal(file: 0 | 1 | 2): boolean {
  try {
    if (!fstatSync(file).isCharacterDevice()) return false
  } catch {
    // The descriptor is closed.
    return false
  }
  return process.getBuiltinModule('node:tty').isatty(file)
}
