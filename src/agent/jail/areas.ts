import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'

/** The access to a path and everything below it: change it, only read it, or neither. */
export type Mode = 'write' | 'read' | 'none'

/**
 * A path without links, and what applies from there on down, until a deeper area says otherwise.
 * `owner`: the user's number.
 */
export type Area = { path: string; mode: Mode; isFolder: boolean; owner: number }

// If two name the same path, the stricter one counts.
const STRICTNESS: Readonly<Record<Mode, number>> = { write: 0, read: 1, none: 2 }

/** The target of a path, without links. */
type ResolvedPath = Omit<Area, 'mode'>

/**
 * The areas for a request, outer ones first. A path that does not exist is left out, and so is an
 * area inside one that may not be read, or one that repeats the area around it. Outside all areas
 * everything may be read and nothing changed. `find` comes from `rememberedPaths`.
 */
export function areasOf(
  requests: Iterable<readonly [path: string, mode: Mode]>,
  find: (path: string) => ResolvedPath | undefined = rememberedPaths(),
): Area[] {
  const modes = new Map<string, Mode>()
  const founds = new Map<string, ResolvedPath>()
  for (const [path, mode] of requests) {
    const entry = find(path)
    if (entry === undefined) continue
    const previous = modes.get(entry.path)
    if (previous === undefined || STRICTNESS[mode] > STRICTNESS[previous])
      modes.set(entry.path, mode)
    founds.set(entry.path, entry)
  }
  const areas: Area[] = []
  const within = new Map<string, Mode>()
  // A path sorts after every path above it.
  for (const path of [...modes.keys()].sort()) {
    const mode = modes.get(path) ?? 'read'
    const around = modeOf(within, path)
    if (mode === around || around === 'none') continue
    areas.push({ ...(founds.get(path) as ResolvedPath), mode })
    within.set(path, mode)
  }
  return areas
}

type Placed = Pick<Area, 'path' | 'mode'>

/**
 * The folders between what may be changed and an exception in it, as paths. If one of them could be
 * renamed, the exception would no longer be where the next command is told to keep it.
 */
export function foldersOnTheWay(areas: readonly Placed[]): string[] {
  const modes = modesOf(areas)
  const folders = new Set<string>()
  for (const { path, mode } of areas) {
    if (mode === 'write') continue
    for (let at = parentOf(path); at !== '/' && !modes.has(at); at = parentOf(at))
      if (modeOf(modes, at) === 'write') folders.add(at)
  }
  return [...folders].sort()
}

/** The modes of areas by their paths. */
export function modesOf(areas: readonly Placed[]): Map<string, Mode> {
  return new Map(areas.map(({ path, mode }) => [path, mode]))
}

/** The mode of a path without links, from the nearest area above it. */
export function modeOf(modes: ReadonlyMap<string, Mode>, path: string): Mode {
  for (let at = path; ; at = parentOf(at)) {
    const mode = modes.get(at)
    if (mode !== undefined) return mode
    if (at === '/') return 'read'
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Returns true if `path` is `above`, or lies below it. */
export function isAt(path: string, above: string): boolean {
  if (!path.startsWith(above)) return false
  return path.length === above.length || path[above.length] === '/' || above === '/'
}

/**
 * Paths that together cover everything that may be changed, or with `mayRead` everything that may
 * be read, and nothing else: a folder with an exception in it is replaced by its present entries.
 */
export function coveredBy(areas: readonly Area[], mayRead: boolean): string[] {
  const isIn = (mode: Mode) => mode === 'write' || (mayRead && mode === 'read')
  const modes = modesOf(areas)
  const above = (path: string) => (path === '/' ? 'read' : modeOf(modes, parentOf(path)))
  const starts = areas.filter(({ path, mode }) => isIn(mode) && !isIn(above(path)))
  const all = mayRead ? ['/', ...starts.map(({ path }) => path)] : starts.map(({ path }) => path)
  const without = areas.filter(({ mode }) => !isIn(mode)).map(({ path }) => path)
  const below = (path: string) => without.filter((one) => one !== path && isAt(one, path))
  return all.flatMap((path) => remaining(path, below(path)))
}

function remaining(path: string, without: readonly string[]): string[] {
  if (without.some((one) => isAt(path, one))) return []
  if (!without.some((one) => isAt(one, path))) return [path]
  return namesIn(path)
    .map((name) => `${path === '/' ? '' : path}/${name}`)
    .filter((child) => !lstatSync(child, { throwIfNoEntry: false })?.isSymbolicLink())
    .flatMap((child) => remaining(child, without))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Looks a path up once, by each of its names; undefined for one that does not exist. */
export function rememberedPaths(): (path: string) => ResolvedPath | undefined {
  const cache = new Map<string, ResolvedPath | undefined>()
  return (path) => {
    if (cache.has(path)) return cache.get(path)
    let entry: ResolvedPath | undefined
    try {
      // Most are missing, and throwing an error takes a hundred times as long as this.
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat) entry = { path: realpathSync(path), isFolder: stat.isDirectory(), owner: stat.uid }
    } catch {
      // A part of its path is not a folder, or may not be entered.
    }
    cache.set(path, entry)
    if (entry) cache.set(entry.path, entry)
    return entry
  }
}
