import type { Environment } from '../../platform/config/env.ts'
import { workTreeOf } from '../hook/paths/repository.ts'
import { type Area, areasOf, isAt, type Mode, rememberedPaths } from './areas.ts'
import { gitFolderOf } from './git-folder.ts'
import type { Wish } from './jail.ts'
import { makeStateFolders, stateFolders } from './state-folders.ts'

/** The areas that were asked for, and those that every command may change. */
export function askedAreas(wish: Wish, { cwd, env }: { cwd: string; env: Environment }): Area[] {
  const asked: Array<readonly [string, Mode]> = []
  const find = rememberedPaths()
  const real = (path: string) => find(path)?.path
  if (!wish.withoutState) {
    makeStateFolders(env)
    const folders: string[] = []
    for (const folder of stateFolders(env)) {
      const found = find(folder)
      if (!found) continue
      folders.push(found.path)
      asked.push([found.path, 'write'])
    }
    const tree = workTreeOf(cwd)
    const git = tree && gitFolderOf(tree)
    const project = tree?.top ?? cwd
    const top = real(project) ?? project
    const write = wish.write.map((path) => real(path) ?? path)
    if (isTemporary(top, folders, write)) asked.push([top, 'read'])
    const cache = real(`${top}/node_modules/.cache`)
    if (cache !== undefined && isAt(cache, top)) asked.push([cache, 'write'])
    if (git) asked.push([git.folder, 'write'])
    for (const path of git?.kept ?? []) asked.push([path, 'read'])
  }
  for (const path of wish.write) asked.push([path, 'write'])
  for (const path of wish.keep) asked.push([path, 'read'])
  for (const path of wish.deny) asked.push([path, 'none'])
  return areasOf(asked, find)
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
