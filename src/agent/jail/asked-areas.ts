import { join } from 'node:path'
import type { Environment } from '../../platform/config/env.ts'
import { workTreeOf } from '../hook/paths/repository.ts'
import { type Area, areasOf, isAt, type Mode, realPath } from './areas.ts'
import { gitFolderOf } from './git-folder.ts'
import type { Wish } from './jail.ts'
import { makeStateFolders, stateFolders } from './state-folders.ts'

/** What was asked for, with what every command may change, and without the project around it. */
export function askedAreas(wish: Wish, { cwd, env }: { cwd: string; env: Environment }): Area[] {
  const asked: Array<readonly [string, Mode]> = []
  const real = remembered(realPath)
  if (!wish.withoutState) {
    makeStateFolders(env)
    const folders = stateFolders(env).flatMap((folder) => real(folder) ?? [])
    const git = gitFolderOf(cwd)
    for (const folder of folders) asked.push([folder, 'write'])
    const project = workTreeOf(cwd)?.top ?? cwd
    const top = real(project) ?? project
    const write = wish.write.map((path) => real(path) ?? path)
    if (isTemporary(top, folders, write)) asked.push([top, 'read'])
    const cache = real(join(top, 'node_modules/.cache'))
    if (cache !== undefined && isAt(cache, top)) asked.push([cache, 'write'])
    if (git) asked.push([git.folder, 'write'])
    for (const path of git?.kept ?? []) asked.push([path, 'read'])
  }
  for (const path of wish.write) asked.push([path, 'write'])
  for (const path of wish.keep) asked.push([path, 'read'])
  for (const path of wish.deny) asked.push([path, 'none'])
  return areasOf(asked, real)
}

/** A project in a temporary folder is no temporary file. */
function isTemporary(
  project: string,
  folders: readonly string[],
  write: readonly string[],
): boolean {
  const isInside = folders.some((folder) => project !== folder && isAt(project, folder))
  return isInside && !write.some((path) => isAt(project, path))
}

/** A path that leads to itself is known by both names. */
function remembered(find: typeof realPath): typeof realPath {
  const known = new Map<string, string | undefined>()
  return (path) => {
    if (known.has(path)) return known.get(path)
    const found = find(path)
    known.set(path, found)
    if (found !== undefined) known.set(found, found)
    return found
  }
}
