import { statSync } from 'node:fs'
import { cText, type Kernel } from './kernel.ts'

// From include/uapi/linux/landlock.h.
const FS = {
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  removeDir: 1n << 4n,
  removeFile: 1n << 5n,
  makeChar: 1n << 6n,
  makeDir: 1n << 7n,
  makeReg: 1n << 8n,
  makeSock: 1n << 9n,
  makeFifo: 1n << 10n,
  makeBlock: 1n << 11n,
  makeSym: 1n << 12n,
  refer: 1n << 13n,
  truncate: 1n << 14n,
} as const

const VERSION_FLAG = 1
const PATH_BENEATH = 1
const AT_FDCWD = -100
const O_PATH = 0o10000000
const O_CLOEXEC = 0o2000000
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
 * `read` left out: all of them. Names of folders can always be listed.
 */
export type Rules = { write: readonly string[]; read?: readonly string[] | undefined }

/** The version of Landlock in this kernel; 0 where it is missing or switched off. */
export function landlockVersion(kernel: Kernel): number {
  return Math.max(0, kernel.call('landlock_create_ruleset', 0, 0, VERSION_FLAG))
}

/**
 * A ruleset that stays open when another program is started. Everything that changes contents or
 * names is forbidden outside of `write`: with version 1 a file is never moved to another folder, and
 * before version 3 `truncate` is not held. Paths that do not exist are passed over. Throws when the
 * kernel refuses.
 */
export function openRuleset(kernel: Kernel, version: number, rules: Rules): number {
  const writing = WRITING | (version >= 2 ? FS.refer : 0n) | (version >= 3 ? FS.truncate : 0n)
  const reading = rules.read ? FS.readFile : 0n
  const handled = Buffer.alloc(8)
  handled.writeBigUInt64LE(writing | DEVICES | reading)
  const ruleset = succeed(kernel.call('landlock_create_ruleset', handled, handled.length, 0))
  for (const path of rules.write) allow(kernel, ruleset, path, writing)
  for (const path of rules.read ?? []) allow(kernel, ruleset, path, reading)
  // It is closed by itself otherwise.
  succeed(kernel.call('fcntl', ruleset, F_SETFD, 0))
  return ruleset
}

function allow(kernel: Kernel, ruleset: number, path: string, rights: bigint): void {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) return
  const opened = kernel.call('openat', AT_FDCWD, cText(path), O_PATH | O_CLOEXEC, 0)
  if (opened < 0) return
  const rule = Buffer.alloc(12)
  rule.writeBigUInt64LE(isFolder ? rights : rights & OF_FILES, 0)
  rule.writeInt32LE(opened, 8)
  try {
    succeed(kernel.call('landlock_add_rule', ruleset, PATH_BENEATH, rule, 0))
  } finally {
    kernel.call('close', opened)
  }
}

function succeed(returned: number): number {
  if (returned < 0) throw new Error(`the kernel refused a rule (${-returned})`)
  return returned
}
