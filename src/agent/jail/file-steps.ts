import type { Step } from './program-image.ts'

// From include/uapi/linux/fcntl.h.
export const AT_FDCWD = -100
const O_WRONLY = 1
const O_CREAT = 0o100
const O_EXCL = 0o200
const O_CLOEXEC = 0o2000000

type Steps = readonly Step[]
/** `mode`: the file is made, and must not exist. `orElse` runs if a call fails. */
type Options = { mode?: number; orElse?: Steps | undefined }

/** Opens a file for writing; `path` ends with a zero byte. */
export function openStep(path: Uint8Array, { mode, orElse }: Options): Step {
  const flags = O_WRONLY | O_CLOEXEC | (mode === undefined ? 0 : O_CREAT | O_EXCL)
  return { call: 'openat', words: [AT_FDCWD, path, flags, mode ?? 0], ...(orElse && { orElse }) }
}

/** Writes a text into a file. */
export function writeSteps(path: Uint8Array, text: string, options: Options): Step[] {
  const { orElse } = options
  const bytes = Buffer.from(text)
  const open = openStep(path, options)
  const words = [{ by: open }, bytes, bytes.length]
  return [
    open,
    { call: 'write', words, ...(orElse && { orElse }) },
    // A folder that is written to cannot be mounted read-only.
    { call: 'close', words: [{ by: open }] },
  ]
}
