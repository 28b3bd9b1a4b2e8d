import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { fieldsOf } from '../claude-shape.ts'

// Its first line holds the instructions of the model too.
const HEAD_MAX = 512 * 1024

/**
 * Whether somebody typed this prompt at Codex's own screen. Neither the input nor the environment
 * of the hook says so, but the record of the session does in its first line: `source` is `cli`
 * there, and `exec` or something else where a program began it. A session that `codex exec` goes
 * on with keeps its first line: but nobody is asked there, and its mode says so. Never throws.
 */
export function isAttended(input: unknown): boolean {
  const { transcript_path: path, permission_mode: mode } = fieldsOf(input)
  if (typeof path !== 'string' || mode === 'bypassPermissions') return false
  try {
    const { type, payload } = fieldsOf(JSON.parse(firstLine(path)))
    return type === 'session_meta' && fieldsOf(payload).source === 'cli'
  } catch {
    return false
  }
}

/** Throws when it is no file, or its first line does not end in time. */
function firstLine(path: string): string {
  // Nobody waits for the other end of a pipe.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no file')
    const head = Buffer.alloc(HEAD_MAX)
    const text = head.subarray(0, readSync(file, head, 0, HEAD_MAX, 0)).toString()
    const end = text.indexOf('\n')
    if (end < 0) throw new Error('its first line does not end')
    return text.slice(0, end)
  } finally {
    closeSync(file)
  }
}
