import { readGlobs } from './read-globs.ts'

/**
 * The globs of a list without those that the others imply, for people: `src` instead of `src` and
 * `src/**`. Reading the result again gives the full list.
 */
export function shortPaths(paths: readonly string[]): string[] {
  const all = new Set(paths)
  const short = paths.filter((path) => !isImplied(path, all))
  return isSame(readGlobs(short).paths, all) ? short : [...paths]
}

function isImplied(path: string, all: ReadonlySet<string>): boolean {
  const folder = path.endsWith('/**') ? path.slice(0, -'/**'.length) : undefined
  return (folder !== undefined && all.has(folder)) || all.has(`**/${path}`)
}

function isSame(paths: string[], all: ReadonlySet<string>): boolean {
  return paths.length === all.size && paths.every((path) => all.has(path))
}
