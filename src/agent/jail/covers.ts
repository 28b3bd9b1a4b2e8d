import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Area } from './areas.ts'
import { AT_FDCWD, openStep, writeSteps } from './file-steps.ts'
import { type Entry, type FindTracked, GIT_MODES } from './git-index.ts'
import { cText } from './kernel.ts'
import type { Step } from './program-image.ts'

// From include/uapi/linux/fcntl.h and mount.h.
const AT_SYMLINK_NOFOLLOW = 0x100
const MS_BIND = 4096

// A folder with more tracked files is covered by an empty one, and git says that it cannot look.
const TRACKED_MAX = 2_000
const PATH_MAX = 4096
const EMPTY = 'mode=000,size=4k,nr_inodes=2'

/**
 * Every Linux has it, no program needs it, and it may stay covered: the kernel takes a millisecond
 * to take a mount away. Landlock keeps it from being changed.
 */
const WORKSHOP = '/proc/driver'

type Steps = readonly Step[]

/** Like a file, without its contents. */
type Likeness = Pick<Entry, 'mode' | 'size' | 'changed'>

/**
 * The mounts over files in one namespace; each must then be made read-only. Git compares the size,
 * the time and the mode of a file with those it knows, so a tracked file is covered by one that is
 * like it in these and has no contents: git calls it unchanged and does not open it. For that it
 * must not compare more (`core.checkStat`).
 */
export class Covers {
  readonly #orElse: Steps
  #count = 0

  constructor(orElse: Steps) {
    this.#orElse = orElse
  }

  /** The calls that make the folder of the covers, and with them what is in `steps`. */
  around(steps: readonly Step[]): Step[] {
    return this.#count === 0 ? [...steps] : [tmpfs(WORKSHOP, 'mode=700', this.#orElse), ...steps]
  }

  /** Over something that may not be read. Only a superuser can open the cover. */
  over({ path, isFolder }: Area, tracked: FindTracked): Step[] {
    const entries = tracked(path)
    if (isFolder) return overFolder(path, entries ?? [], this.#orElse)
    const like = entries?.[0] ?? likeFile(path)
    return this.#bind(path, (cover) => likeness(cover, like, this.#orElse))
  }

  /** Over a file that shall have this text. */
  text(path: string, text: string): Step[] {
    const options = { mode: 0o644, orElse: this.#orElse }
    return this.#bind(path, (cover) => writeSteps(cText(cover), text, options))
  }

  #bind(path: string, make: (cover: string) => Step[]): Step[] {
    const cover = `${WORKSHOP}/${this.#count++}`
    const words = [cText(cover), cText(path), 0, MS_BIND, 0]
    return [...make(cover), { call: 'mount', words, orElse: this.#orElse }]
  }
}

function overFolder(path: string, entries: readonly Entry[], orElse: Steps): Step[] {
  if (entries.length === 0 || entries.length > TRACKED_MAX || !entries.every(canBeMade))
    return [tmpfs(path, EMPTY, orElse)]
  const folders = new Set<string>()
  for (const { below, mode } of entries) {
    if (mode === GIT_MODES.module) folders.add(below)
    for (let at = dirname(below); at !== '.'; at = dirname(at)) folders.add(at)
  }
  return [
    tmpfs(path, 'mode=755', orElse),
    ...[...folders].sort().map((name) => folder(`${path}/${name}`, orElse)),
    ...entries
      .filter(({ mode }) => mode !== GIT_MODES.module)
      .flatMap((entry) => likeness(`${path}/${entry.below}`, entry, orElse)),
  ]
}

/** Git would call a file deleted that is missing, so all are made or none. */
function canBeMade({ below, mode, size }: Entry): boolean {
  const names = below.split('/')
  if (names.some((name) => /^\.{0,2}$|\uFFFD/.test(name))) return false
  return mode !== GIT_MODES.link || size < PATH_MAX
}

function likeness(path: string, { mode, size, changed }: Likeness, orElse: Steps): Step[] {
  const times = new Uint8Array(BigInt64Array.of(0n, 0n, BigInt(changed), 0n).buffer)
  const at = cText(path)
  const timed: Step = {
    call: 'utimensat',
    words: [AT_FDCWD, at, times, AT_SYMLINK_NOFOLLOW],
    orElse,
  }
  if (mode === GIT_MODES.link) {
    const target = cText('-'.repeat(Math.max(1, size)))
    return [{ call: 'symlinkat', words: [target, AT_FDCWD, at], orElse }, timed]
  }
  const bits = mode === GIT_MODES.program ? 0o100 : 0
  const open = openStep(at, { mode: bits, orElse })
  return [
    open,
    { call: 'ftruncate', words: [{ by: open }, size], orElse },
    { call: 'close', words: [{ by: open }] },
    timed,
  ]
}

/**
 * Returns the attributes that git would find in a file that it does not track, or whose index is
 * not read.
 */
function likeFile(path: string): Likeness {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  const isProgram = ((stat?.mode ?? 0) & 0o100) !== 0
  return {
    mode: isProgram ? GIT_MODES.program : GIT_MODES.file,
    size: stat?.isFile() ? stat.size : 0,
    changed: Math.floor((stat?.mtimeMs ?? 0) / 1000),
  }
}

function folder(path: string, orElse: Steps): Step {
  return { call: 'mkdirat', words: [AT_FDCWD, cText(path), 0o755], orElse }
}

function tmpfs(path: string, options: string, orElse: Steps): Step {
  const type = cText('tmpfs')
  return { call: 'mount', words: [type, cText(path), type, 0, cText(options)], orElse }
}
