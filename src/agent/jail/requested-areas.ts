import { basename, dirname, join } from 'node:path'
import { stateFolder } from '../../platform/config/client-file.ts'
import type { Environment } from '../../platform/config/env.ts'
import { workTreeOf } from '../paths/repository.ts'
import { type Area, areasOf, isAt, type Mode, rememberedPaths } from './areas.ts'
import { gitFolderOf, placeholdersInGit, protectedGitPaths } from './git-folders.ts'
import type { RequestedScope } from './jail.ts'
import { existsByItself } from './placeholder-records.ts'
import type { Placeholder } from './placeholders.ts'
import { makeStateFolders, stateFolders } from './state-folders.ts'

/**
 * The areas that were asked for, and those that every command may change, with what must be made
 * for them.
 */
export function requestedAreas(
  request: RequestedScope,
  { cwd, env }: { cwd: string; env: Environment },
): { areas: Area[]; placeholders: Placeholder[] } {
  const missing = [...(request.placeholders ?? [])]
  const requests: Array<readonly [string, Mode]> = []
  const find = rememberedPaths()
  const real = (path: string) => find(path)?.path
  if (!request.withoutState) {
    makeStateFolders(env)
    const folders: string[] = []
    for (const folder of stateFolders(env)) {
      const entry = find(folder)
      if (!entry) continue
      folders.push(entry.path)
      requests.push([entry.path, 'write'])
    }
    const tree = workTreeOf(cwd)
    const git = tree && gitFolderOf(tree)
    const project = tree?.top ?? cwd
    const top = real(project) ?? project
    const write = request.write.map((path) => real(path) ?? path)
    if (isTemporary(top, folders, write)) requests.push([top, 'read'])
    const cache = real(`${top}/node_modules/.cache`)
    if (cache !== undefined && isAt(cache, top)) requests.push([cache, 'write'])
    if (git !== undefined) {
      requests.push([git, 'write'])
      for (const path of protectedGitPaths(git)) requests.push([path, 'read'])
      const exists = existsByItself(stateFolder(env))
      if (request.placeholders) missing.push(...placeholdersInGit(git, exists))
    }
  }
  for (const path of request.write) requests.push([path, 'write'])
  for (const path of request.keep) requests.push([path, 'read'])
  for (const path of request.deny) requests.push([path, 'none'])
  const placeholders = missing.map((one) => ({ ...one, path: realPath(one.path, real) }))
  const byPath = new Map(placeholders.map((one) => [one.path, one]))
  for (const { path, isKept } of placeholders) if (isKept) requests.push([path, 'read'])
  const owner = process.geteuid?.() ?? 0
  const areas = areasOf(requests, (path) => {
    const placeholder = byPath.get(path)
    return placeholder ? { path, isFolder: placeholder.text === undefined, owner } : find(path)
  })
  return { areas, placeholders }
}

/** Without links, for a path whose end does not exist. */
function realPath(path: string, real: (path: string) => string | undefined): string {
  const whole = real(path)
  if (whole !== undefined || path === '/') return whole ?? path
  return join(realPath(dirname(path), real), basename(path))
}

/** A project inside a temporary folder is not a temporary file. */
function isTemporary(
  project: string,
  folders: readonly string[],
  write: readonly string[],
): boolean {
  const isInside = folders.some((folder) => project !== folder && isAt(project, folder))
  return isInside && !write.some((path) => isAt(project, path))
}
