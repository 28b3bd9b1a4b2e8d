import { readFileSync } from 'node:fs'
import { type Area, modeOf } from './areas.ts'
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

/** Whose process it is. `mayMount`: a superuser who needs no namespace of users for it. */
export type Owner = { uid: number; gid: number; mayMount: boolean }

/**
 * The calls that put a process of one thread into a mount namespace where everything can only be
 * read but the areas for writing, and where what may not be read is covered: a file by a device
 * that cannot be opened, a folder by an empty one that nobody may enter. Modes, times and owners of
 * files outside are held by this alone. `orElse` is done where the system does not allow it.
 */
export function namespaceSteps(
  areas: readonly Area[],
  owner: Owner,
  orElse: readonly Step[],
): Step[] {
  const must = (step: Step): Step => ({ ...step, orElse })
  const reopened = mountsBelow(areas).map((path) => setFlags(path, { cleared: ATTR_RDONLY }))
  return [
    ...entering(owner, must),
    must(setFlags('/', { set: ATTR_RDONLY, isDeep: true })),
    ...areas.flatMap((area) => ofArea(area, must)),
    ...reopened,
  ]
}

type Must = (step: Step) => Step

function entering({ uid, gid, mayMount }: Owner, must: Must): Step[] {
  if (mayMount) {
    const slave = { call: 'mount', words: [0, cText('/'), 0, MS_REC | MS_SLAVE, 0] } as const
    return [must({ call: 'unshare', words: [CLONE_NEWNS] }), must(slave)]
  }
  return [
    must({ call: 'unshare', words: [CLONE_NEWUSER | CLONE_NEWNS] }),
    ...writing('/proc/self/setgroups', 'deny', must),
    ...writing('/proc/self/uid_map', `${uid} ${uid} 1`, must),
    ...writing('/proc/self/gid_map', `${gid} ${gid} 1`, must),
  ]
}

function writing(path: string, text: string, must: Must): Step[] {
  const bytes = Buffer.from(text)
  const open = must({ call: 'openat', words: [AT_FDCWD, cText(path), O_WRONLY | O_CLOEXEC, 0] })
  return [
    open,
    must({ call: 'write', words: [{ by: open }, bytes, bytes.length] }),
    // What is written to cannot be mounted to be read only.
    { call: 'close', words: [{ by: open }] },
  ]
}

function ofArea({ path, mode, isFolder }: Area, must: Must): Step[] {
  const at = cText(path)
  if (mode === 'none' && isFolder) {
    const tmpfs = cText('tmpfs')
    const options = cText('mode=000,size=4k,nr_inodes=2')
    return [
      must({ call: 'mount', words: [tmpfs, at, tmpfs, 0, options] }),
      must(setFlags(path, { set: ATTR_RDONLY })),
    ]
  }
  if (mode === 'none') {
    return [
      must({ call: 'mount', words: [cText('/dev/null'), at, 0, MS_BIND, 0] }),
      must(setFlags(path, { set: ATTR_RDONLY | ATTR_NODEV })),
    ]
  }
  const own = must({ call: 'mount', words: [at, at, 0, MS_BIND | MS_REC, 0] })
  // What was mounted to be read only before stays that, and its own refusal is as good as ours.
  if (mode === 'write') return [own, setFlags(path, { cleared: ATTR_RDONLY })]
  return [own, must(setFlags(path, { set: ATTR_RDONLY, isDeep: true }))]
}

function setFlags(
  path: string,
  { set = 0, cleared = 0, isDeep = false }: { set?: number; cleared?: number; isDeep?: boolean },
): Step {
  const attributes = new Uint8Array(ATTR_BYTES)
  attributes[0] = set
  attributes[8] = cleared
  const words = [AT_FDCWD, cText(path), isDeep ? AT_RECURSIVE : 0, attributes, ATTR_BYTES]
  return { call: 'mount_setattr', words }
}

/** Where something else is mounted inside of what may be changed. */
function mountsBelow(areas: readonly Area[]): string[] {
  return mountPoints()
    .filter(({ path, isWritable }) => isWritable && modeOf(areas, path) === 'write')
    .map(({ path }) => path)
}

function mountPoints(): Array<{ path: string; isWritable: boolean }> {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const fields = line.split(' ', 6)
    const [path = '', options = ''] = [fields[4], fields[5]]
    const plain = path.includes('\\') ? unescaped(path) : path
    return { path: plain, isWritable: options === 'rw' || options.startsWith('rw,') }
  })
}

function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
}
