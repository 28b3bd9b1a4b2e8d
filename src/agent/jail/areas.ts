import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What may be done with a path and all below it: change it, only read it, neither. */
export type Mode = 'write' | 'read' | 'none'

/**
 * A path without links, and what holds from there on, until a deeper area says otherwise. `owner`:
 * the number of the user.
 */
export type Area = { path: string; mode: Mode; isFolder: boolean; owner: number }

// Of two that name the same path, the stricter counts.
const STRICTNESS: Readonly<Record<Mode, number>> = { write: 0, read: 1, none: 2 }

/**
 * The areas of what was asked for, those above first. What does not exist is no area; below what may
 * not be read nothing else counts; what says the same as the area around it is left out. Outside of
 * all areas everything may be read and nothing changed. `resolve`: a `realPath` that remembers.
 */
export function areasOf(
  asked: Iterable<readonly [path: string, mode: Mode]>,
  resolve: (path: string) => string | undefined = realPath,
): Area[] {
  const modes = new Map<string, Mode>()
  for (const [path, mode] of asked) {
    const real = resolve(path)
    if (real === undefined) continue
    const known = modes.get(real)
    if (known === undefined || STRICTNESS[mode] > STRICTNESS[known]) modes.set(real, mode)
  }
  const areas: Area[] = []
  // A path sorts behind every one above it.
  for (const path of [...modes.keys()].sort()) {
    const mode = modes.get(path) ?? 'read'
    const around = modeOf(areas, path)
    if (mode === around || around === 'none') continue
    const stat = statSync(path)
    areas.push({ path, mode, isFolder: stat.isDirectory(), owner: stat.uid })
  }
  return areas
}

/** What holds for a path without links. */
export function modeOf(areas: readonly Area[], path: string): Mode {
  // Every start asks this for each pair of them, before anything is compiled.
  for (let at = areas.length - 1; at >= 0; at--) {
    const area = areas[at] as Area
    if (isAt(path, area.path)) return area.mode
  }
  return 'read'
}

/** Whether `path` is `above`, or lies below it. */
export function isAt(path: string, above: string): boolean {
  if (!path.startsWith(above)) return false
  return path.length === above.length || path[above.length] === '/' || above === '/'
}

/**
 * Paths that together have all that may be changed, or with `mayRead` all that may be read, and
 * nothing else: a folder with an exception in it is replaced by the entries that it has now.
 */
export function coveredBy(areas: readonly Area[], mayRead: boolean): string[] {
  const isIn = (mode: Mode) => mode === 'write' || (mayRead && mode === 'read')
  const begun = areas.filter(({ path, mode }) => isIn(mode) && !isIn(modeAbove(areas, path)))
  const all = mayRead ? ['/', ...begun.map(({ path }) => path)] : begun.map(({ path }) => path)
  const without = areas.filter(({ mode }) => !isIn(mode)).map(({ path }) => path)
  const below = (path: string) => without.filter((one) => one !== path && isAt(one, path))
  return all.flatMap((path) => remaining(path, below(path)))
}

function modeAbove(areas: readonly Area[], path: string): Mode {
  const above = areas.filter((area) => area.path !== path)
  return modeOf(above, path)
}

function remaining(path: string, without: readonly string[]): string[] {
  if (without.some((one) => isAt(path, one))) return []
  if (!without.some((one) => isAt(one, path))) return [path]
  return namesIn(path)
    .map((name) => join(path, name))
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

/** Undefined when it does not exist. */
export function realPath(path: string): string | undefined {
  // Most are missing, and an error takes a hundred times as long as this.
  if (!existsSync(path)) return undefined
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
