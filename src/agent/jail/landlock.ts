import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Kernel } from './kernel.ts'

// From include/uapi/linux/landlock.h.
const FS = {
  writeFile: 1 << 1,
  readFile: 1 << 2,
  removeDir: 1 << 4,
  removeFile: 1 << 5,
  makeChar: 1 << 6,
  makeDir: 1 << 7,
  makeReg: 1 << 8,
  makeSock: 1 << 9,
  makeFifo: 1 << 10,
  makeBlock: 1 << 11,
  makeSym: 1 << 12,
  refer: 1 << 13,
  truncate: 1 << 14,
} as const

// No signal to a process outside, and no connection to an abstract socket of one.
const SCOPES = 1 | 2
/** The first version that knows scopes. */
const HAS_SCOPES = 6

const VERSION_FLAG = 1
const PATH_BENEATH = 1
const O_PATH = 0o10000000
const F_SETFD = 2

const OF_FILES = FS.writeFile | FS.readFile | FS.truncate
const WRITING =
  FS.writeFile |
  FS.removeDir |
  FS.removeFile |
  FS.makeDir |
  FS.makeReg |
  FS.makeSock |
  FS.makeFifo |
  FS.makeSym
// Allowed nowhere.
const DEVICES = FS.makeChar | FS.makeBlock

/**
 * The paths below which contents and names may change, and those below which files may be read;
 * without `read` all files may be read. Names of folders can always be listed.
 */
export type Rules = { write: readonly string[]; read?: readonly string[] | undefined }

/** The version of Landlock in this kernel; 0 if it is missing or switched off. */
export function landlockVersion(kernel: Kernel): number {
  return Math.max(0, kernel.call('landlock_create_ruleset', 0, 0, VERSION_FLAG))
}

/**
 * A ruleset that stays open when another program is started. Every change of contents or names
 * outside `write` is forbidden: with version 1 a file is never moved to another folder, and before
 * version 3 `truncate` is not stopped, nor before version 6 a signal to a process outside. Paths that do not exist are skipped. Throws if the kernel
 * refuses.
 */
export function openRuleset(kernel: Kernel, version: number, rules: Rules): number {
  const writing = WRITING | (version >= 2 ? FS.refer : 0) | (version >= 3 ? FS.truncate : 0)
  const reading = rules.read ? FS.readFile : 0
  const scopes = version >= HAS_SCOPES ? [0, 0, SCOPES, 0] : []
  const handled = new Uint32Array([writing | DEVICES | reading, 0, ...scopes])
  const rights = new Uint8Array(handled.buffer)
  const ruleset = succeed(kernel.call('landlock_create_ruleset', rights, rights.length, 0))
  for (const path of rules.write) allow(kernel, ruleset, path, writing)
  for (const path of rules.read ?? []) allow(kernel, ruleset, path, reading)
  // Otherwise it would be closed.
  succeed(kernel.call('fcntl', ruleset, F_SETFD, 0))
  return ruleset
}

function allow(kernel: Kernel, ruleset: number, path: string, rights: number): void {
  const opened = openPath(path)
  if (opened === undefined) return
  try {
    // The kernel refuses the rights of a folder for anything else.
    const ofIt = fstatSync(opened).isDirectory() ? rights : rights & OF_FILES
    // The rights, in eight bytes, and the file that they apply to.
    const rule = new Uint8Array(Uint32Array.of(ofIt, 0, opened).buffer)
    succeed(kernel.call('landlock_add_rule', ruleset, PATH_BENEATH, rule, 0))
  } finally {
    closeSync(opened)
  }
}

function openPath(path: string): number | undefined {
  try {
    return openSync(path, O_PATH)
  } catch {
    return undefined
  }
}

function succeed(returned: number): number {
  if (returned < 0) throw new Error(`the kernel refused a rule (${-returned})`)
  return returned
}
