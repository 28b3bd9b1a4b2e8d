import { type Area, foldersOnTheWay, modeOf, modesOf } from './areas.ts'
import { Covers } from './covers.ts'
import { AT_FDCWD, writeSteps } from './file-steps.ts'
import type { GitView } from './git-view.ts'
import { cText } from './kernel.ts'
import { mountPoints } from './mount-points.ts'
import type { Placeholder } from './placeholders.ts'
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
const AT_RECURSIVE = 0x8000

/**
 * The user that the process belongs to. `mayMount`: a superuser who needs no user namespace to
 * mount. `opensAll`: the command keeps the right to open files whatever their modes are.
 */
export type Owner = { uid: number; gid: number; mayMount: boolean; opensAll: boolean }

/**
 * Files that are created for the time of the command, how git sees what is covered, and the sockets
 * that nobody in it can connect to.
 */
export type Placed = {
  git: GitView | undefined
  placeholders: readonly Placeholder[]
  /** True if placeholders are created; false to use only those that exist. */
  makes: boolean
  sockets: readonly string[]
}

/**
 * The calls that put a process of one thread into a mount namespace in which only the areas for
 * writing can be changed, and paths that may not be read are covered. Nothing else protects modes,
 * times and owners of files outside. `orElse` runs if the system does not allow it.
 */
export function namespaceSteps(
  areas: readonly Area[],
  { owner, git, placeholders, makes, sockets, orElse }: Placed & { owner: Owner; orElse: Steps },
): Step[] {
  const covers = new Covers(orElse)
  const mounts = new Map<string, Step[]>()
  // A placeholder that does not exist yet cannot be mounted.
  const placeholderPaths = new Set(placeholders.map(({ path }) => path))
  const otherwise = (path: string) => (placeholderPaths.has(path) ? undefined : orElse)
  // Nobody can rename or remove what something is mounted on.
  for (const path of foldersOnTheWay(areas)) mounts.set(path, onItself(path, otherwise(path)))
  for (const area of areas) mounts.set(area.path, ofArea(area, otherwise(area.path)))
  const tracked = (owner.opensAll ? undefined : git?.tracked) ?? (() => [])
  for (const area of areas) {
    if (area.mode !== 'none') continue
    const isDevice = owner.opensAll && !area.isFolder
    const cover = isDevice ? device(area.path, orElse) : covers.over(area, tracked)
    mounts.set(area.path, [...cover, readOnly(area.path, orElse)])
  }
  if (git?.excluded) {
    const { path, text } = git.excluded
    mounts.set(path, [...covers.text(path, text), readOnly(path, orElse)])
  }
  for (const path of sockets) if (!mounts.has(path)) mounts.set(path, device(path, undefined))
  return [
    ...entering(owner, orElse),
    ...(makes ? placeholders.flatMap(making) : []),
    flagging(cText('/'), READ_ONLY, { isDeep: true, orElse }),
    // Outer ones first.
    ...covers.around([...mounts.keys()].sort().flatMap((path) => mounts.get(path) ?? [])),
    ...mountsBelow(areas).map((path) => flagging(cText(path), WRITABLE)),
  ]
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
    ...writeSteps(cText('/proc/self/setgroups'), 'deny', { orElse }),
    ...writeSteps(cText('/proc/self/uid_map'), `${uid} ${uid} 1`, { orElse }),
    ...writeSteps(cText('/proc/self/gid_map'), `${gid} ${gid} 1`, { orElse }),
  ]
}

function ofArea({ path, mode }: Area, orElse: Steps | undefined): Step[] {
  const at = cText(path)
  const own = onItself(path, orElse)
  // A mount that was read-only before stays read-only, which refuses changes just as well.
  if (mode === 'write') return [...own, flagging(at, WRITABLE)]
  return [...own, flagging(at, READ_ONLY, { isDeep: true, ...(orElse && { orElse }) })]
}

function device(path: string, orElse: Steps | undefined): Step[] {
  const words = [cText('/dev/null'), cText(path), 0, MS_BIND, 0]
  return [{ call: 'mount', words, ...(orElse && { orElse }) }]
}

function readOnly(path: string, orElse: Steps): Step {
  return flagging(cText(path), READ_ONLY_NO_DEVICE, { orElse })
}

function onItself(path: string, orElse: Steps | undefined): Step[] {
  const at = cText(path)
  return [{ call: 'mount', words: [at, at, 0, MS_BIND | MS_REC, 0], ...(orElse && { orElse }) }]
}

function making({ path, text }: Placeholder): Step[] {
  const at = cText(path)
  if (text === undefined) return [{ call: 'mkdirat', words: [AT_FDCWD, at, 0o755] }]
  return writeSteps(at, text, { mode: 0o644 })
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
  const below: string[] = []
  for (const { path, isWritable } of mountPoints('self'))
    if (isWritable && modeOf(modes, path) === 'write') below.push(path)
  return below
}
