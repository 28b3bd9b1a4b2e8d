import { readFileSync } from 'node:fs'
import { type Area, foldersOnTheWay, modeOf, modesOf } from './areas.ts'
import { cText } from './kernel.ts'
import type { Step } from './program-image.ts'

// From include/uapi/linux/sched.h, mount.h and fcntl.h.
const CLONE_NEWNS = 0x20000
const CLONE_NEWUSER = 0x10000000
const MS_BIND = 4096
const MS_REC = 16384
const MS_SLAVE = 1 << 19
const ATTR_RDONLY = 1
const ATTR_NODEV = 4
const ATTR_BYTES = 32
const AT_FDCWD = -100
const AT_RECURSIVE = 0x8000
const O_WRONLY = 1
const O_CLOEXEC = 0o2000000

/**
 * The user that the process belongs to. `mayMount`: a superuser who needs no user namespace to
 * mount.
 */
export type Owner = { uid: number; gid: number; mayMount: boolean }

/**
 * The calls that put a process of one thread into a mount namespace in which only the areas for
 * writing can be changed, and paths that may not be read are covered: a file by a device that
 * cannot be opened, a folder by an empty one that nobody may enter. Nothing else protects modes,
 * times and owners of files outside. `orElse` runs if the system does not allow it.
 */
export function namespaceSteps(
  areas: readonly Area[],
  owner: Owner,
  orElse: readonly Step[],
): Step[] {
  const steps = [
    ...entering(owner, orElse),
    flagging(cText('/'), READ_ONLY, { isDeep: true, orElse }),
  ]
  // Nobody can rename or remove what something is mounted on. Outer ones first.
  const byPath = new Map(foldersOnTheWay(areas).map((path) => [path, onItself(path, orElse)]))
  for (const area of areas) byPath.set(area.path, ofArea(area, orElse))
  for (const path of [...byPath.keys()].sort()) steps.push(...(byPath.get(path) ?? []))
  for (const path of mountsBelow(areas)) steps.push(flagging(cText(path), WRITABLE))
  return steps
}

type Steps = readonly Step[]

function entering({ uid, gid, mayMount }: Owner, orElse: Steps): Step[] {
  if (mayMount) {
    return [
      { call: 'unshare', words: [CLONE_NEWNS], orElse },
      { call: 'mount', words: [0, cText('/'), 0, MS_REC | MS_SLAVE, 0], orElse },
    ]
  }
  return [
    { call: 'unshare', words: [CLONE_NEWUSER | CLONE_NEWNS], orElse },
    ...writing('/proc/self/setgroups', 'deny', orElse),
    ...writing('/proc/self/uid_map', `${uid} ${uid} 1`, orElse),
    ...writing('/proc/self/gid_map', `${gid} ${gid} 1`, orElse),
  ]
}

function writing(path: string, text: string, orElse: Steps): Step[] {
  const bytes = Buffer.from(text)
  const words = [AT_FDCWD, cText(path), O_WRONLY | O_CLOEXEC, 0]
  const open: Step = { call: 'openat', words, orElse }
  return [
    open,
    { call: 'write', words: [{ by: open }, bytes, bytes.length], orElse },
    // A folder that is written to cannot be mounted read-only.
    { call: 'close', words: [{ by: open }] },
  ]
}

function ofArea({ path, mode, isFolder }: Area, orElse: Steps): Step[] {
  const at = cText(path)
  if (mode === 'none' && isFolder) {
    const tmpfs = cText('tmpfs')
    const options = cText('mode=000,size=4k,nr_inodes=2')
    return [
      { call: 'mount', words: [tmpfs, at, tmpfs, 0, options], orElse },
      flagging(at, READ_ONLY, { orElse }),
    ]
  }
  if (mode === 'none') {
    return [
      { call: 'mount', words: [cText('/dev/null'), at, 0, MS_BIND, 0], orElse },
      flagging(at, READ_ONLY_NO_DEVICE, { orElse }),
    ]
  }
  const own = onItself(path, orElse)
  // A mount that was read-only before stays read-only, which refuses changes just as well.
  if (mode === 'write') return [...own, flagging(at, WRITABLE)]
  return [...own, flagging(at, READ_ONLY, { isDeep: true, orElse })]
}

function onItself(path: string, orElse: Steps): Step[] {
  const at = cText(path)
  return [{ call: 'mount', words: [at, at, 0, MS_BIND | MS_REC, 0], orElse }]
}

const READ_ONLY = attributes({ set: ATTR_RDONLY })
const READ_ONLY_NO_DEVICE = attributes({ set: ATTR_RDONLY | ATTR_NODEV })
const WRITABLE = attributes({ cleared: ATTR_RDONLY })

function attributes({ set = 0, cleared = 0 }: { set?: number; cleared?: number }): Uint8Array {
  const bytes = new Uint8Array(ATTR_BYTES)
  bytes[0] = set
  bytes[8] = cleared
  return bytes
}

function flagging(
  path: Uint8Array,
  bytes: Uint8Array,
  { isDeep = false, orElse }: { isDeep?: boolean; orElse?: Steps } = {},
): Step {
  const words = [AT_FDCWD, path, isDeep ? AT_RECURSIVE : 0, bytes, ATTR_BYTES]
  return { call: 'mount_setattr', words, ...(orElse && { orElse }) }
}

/** The places inside what may be changed where something else is mounted. */
function mountsBelow(areas: readonly Area[]): string[] {
  const modes = modesOf(areas)
  return mountPoints().filter((path) => modeOf(modes, path) === 'write')
}

/** The mounts that may be changed. */
function mountPoints(): string[] {
  const points: string[] = []
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n')) {
    const fields = line.split(' ', 6)
    const [path = '', options = ''] = [fields[4], fields[5]]
    if (options !== 'rw' && !options.startsWith('rw,')) continue
    points.push(path.includes('\\') ? unescaped(path) : path)
  }
  return points
}

function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
}
