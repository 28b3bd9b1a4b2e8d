import { fstatSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { type Area, coveredBy } from './areas.ts'
import type { FoundProgram } from './find-program.ts'
import { cText, type Kernel, openKernel, textsOf, type Word } from './kernel.ts'
import { landlockVersion, openRuleset } from './landlock.ts'
import { limitsOfOthers } from './limits-of-others.ts'
import { namespaceSteps, type Owner, type Placed } from './namespace.ts'
import { programImage, type Step } from './program-image.ts'
import { deviceFolders } from './state-folders.ts'

// From include/uapi/linux.
const PR_SET_NO_NEW_PRIVS = 38
const PR_CAPBSET_DROP = 24
const PR_CAP_AMBIENT = 47
const PR_CAP_AMBIENT_CLEAR_ALL = 4
const RLIMIT_NOFILE = 7
const SIGPIPE = 13
const SIGXFSZ = 25
const MFD_CLOEXEC = 1
const MFD_EXEC = 16
const AT_EMPTY_PATH = 0x1000
const F_SETFD = 2
const FD_CLOEXEC = 1
const CAP_DAC_OVERRIDE = 1
const CAP_SYS_ADMIN = 21
const CAPS = 48
// What a superuser keeps: chown, fowner, fsetid, kill, setgid, setuid, setpcap, the net's four,
// ipc_lock, ipc_owner, chroot, nice, resource, audit_write. None leads out.
const ALLOWED_CAPS = new Set([0, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 18, 23, 24, 29])

/** The kernel, and its version of Landlock; 0 if that is missing. */
export type Linux = { kernel: Kernel; version: number }

/** Undefined for a machine whose system calls are not known here. */
export function openLinux(): Linux | undefined {
  const kernel = openKernel()
  return kernel && { kernel, version: landlockVersion(kernel) }
}

/** The first version of Landlock that stops `truncate`; a mount that can only be read stops it too. */
export const TRUNCATES = 3

type Contained = { program: FoundProgram; areas: readonly Area[] }

/**
 * Becomes the program, contained in mount namespaces and by Landlock. `again` is the fallback if
 * namespaces are not allowed. Returns only if nothing was changed.
 */
export function startInNamespace(
  { kernel, version }: Linux,
  { program, areas, again, ...placed }: Contained & Placed & { again: FoundProgram },
): void {
  const owner = ownerHere(areas)
  const orElse = [execution(again), ...failing('the command could not be contained')]
  const write = areas.filter(({ mode }) => mode === 'write').map(({ path }) => path)
  const ruleset = openRuleset(kernel, version, { write: [...write, ...deviceFolders()] })
  const steps = [
    ...namespaceSteps(areas, { ...placed, owner, orElse }),
    // By path, so that a cover mounted over the folder applies to the command too.
    must({ call: 'chdir', words: [cText(program.cwd)] }, 'the folder of the command is off limits'),
    ...restricting(ruleset, areas),
    ...starting(program),
  ]
  const image = programImage(process.arch, kernel.numbers, steps)
  if (!image) return
  const name = textsOf(['beckon-jail'])
  const flagged = kernel.call('memfd_create', name.bytes, MFD_CLOEXEC | MFD_EXEC)
  const file = flagged < 0 ? kernel.call('memfd_create', name.bytes, MFD_CLOEXEC) : flagged
  if (file < 0) return
  writeSync(file, image.head, 0, image.head.length, 0)
  writeSync(file, image.data, 0, image.data.length, image.dataAt)
  closeFolders(kernel, ruleset)
  kernel.call('execveat', file, cText(''), name, textsOf([]), AT_EMPTY_PATH)
}

/** Becomes the program, contained by Landlock alone. Throws if it cannot. */
export function startWithLandlock(
  { kernel, version }: Linux,
  { program, areas }: Contained,
): never {
  const isHidden = areas.some(({ mode }) => mode === 'none')
  const ruleset = openRuleset(kernel, version, {
    write: [...coveredBy(areas, false), ...deviceFolders()],
    read: isHidden ? coveredBy(areas, true) : undefined,
  })
  closeFolders(kernel, ruleset)
  return become(kernel, [...restricting(ruleset, areas), ...starting(program)])
}

/** Becomes the program as it is. */
export function startFreely({ kernel }: Linux, program: FoundProgram): never {
  return become(kernel, starting(program))
}

function become(kernel: Kernel, steps: readonly Step[]): never {
  for (const { call, words, orElse } of steps) {
    const returned = kernel.call(call, ...(words as Word[]))
    if (returned < 0 && orElse) become(kernel, orElse)
  }
  throw new Error('the kernel came back from a call that ends the process')
}

/** No program started later can get more rights than this, or undo it. */
function restricting(ruleset: number, areas: readonly Area[]): Step[] {
  return [
    ...(process.geteuid?.() === 0 ? droppingRights(areas) : []),
    must({ call: 'prctl', words: [PR_SET_NO_NEW_PRIVS, 1] }, 'no_new_privs is not allowed'),
    ...limitsOfOthers(),
    must({ call: 'landlock_restrict_self', words: [ruleset, 0] }, 'Landlock refused its rules'),
    { call: 'close', words: [ruleset] },
  ]
}

/** A superuser of this machine, or only of its own namespace, could undo what is mounted. */
function droppingRights(areas: readonly Area[]): Step[] {
  const capabilities = new Set([
    ...ALLOWED_CAPS,
    ...(changesForOthers(areas) ? [CAP_DAC_OVERRIDE] : []),
  ])
  const steps: Step[] = []
  for (let cap = 0; cap < CAPS; cap++)
    if (!capabilities.has(cap)) steps.push({ call: 'prctl', words: [PR_CAPBSET_DROP, cap] })
  steps.push({ call: 'prctl', words: [PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL] })
  return steps
}

function changesForOthers(areas: readonly Area[]): boolean {
  const own = process.geteuid?.()
  return own === 0 && areas.some(({ mode, owner }) => mode === 'write' && owner !== own)
}

/** Bun's own changes of the process are undone first. */
function starting(program: FoundProgram): Step[] {
  const limit = openFilesOfParent()
  return [
    { call: 'rt_sigaction', words: [SIGPIPE, new Uint8Array(32), 0, 8] },
    { call: 'rt_sigaction', words: [SIGXFSZ, new Uint8Array(32), 0, 8] },
    ...(limit ? [{ call: 'prlimit64', words: [0, RLIMIT_NOFILE, limit, 0] } as const] : []),
    { ...execution(program), orElse: failing('the command cannot be executed', 126) },
  ]
}

function execution({ file, argv, env }: FoundProgram): Step {
  return { call: 'execve', words: [cText(file), argv, env] }
}

function must(step: Step, why: string): Step {
  return { ...step, orElse: failing(why) }
}

function failing(why: string, code = 125): Step[] {
  const line = Buffer.from(`beckon jail: ${why}.\n`)
  return [
    { call: 'write', words: [2, line, line.length] },
    { call: 'exit_group', words: [code] },
  ]
}

/** Through a folder that is already open, the command could reach what a mount covers. */
function closeFolders(kernel: Kernel, ruleset: number): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const file = Number(name)
    if (file > 2 && file !== ruleset && isFolder(file))
      kernel.call('fcntl', file, F_SETFD, FD_CLOEXEC)
  }
}

function isFolder(file: number): boolean {
  try {
    return fstatSync(file).isDirectory()
  } catch {
    return false
  }
}

function ownerHere(areas: readonly Area[]): Owner {
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]
  const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
  const caps = BigInt(`0x${effective ?? '0'}`)
  const mayMount = uid === 0 && ((caps >> BigInt(CAP_SYS_ADMIN)) & 1n) === 1n
  return { uid, gid, mayMount, opensAll: changesForOthers(areas) }
}

/** Bun raises the limit for itself; a program may walk through all of it. */
function openFilesOfParent(): Uint8Array | undefined {
  try {
    const text = readFileSync(`/proc/${process.ppid}/limits`, 'latin1')
    const [, soft, hard] = /^Max open files\s+(\d+)\s+(\d+)/m.exec(text) ?? []
    if (!soft || !hard) return undefined
    return new Uint8Array(BigUint64Array.of(BigInt(soft), BigInt(hard)).buffer)
  } catch {
    return undefined
  }
}
